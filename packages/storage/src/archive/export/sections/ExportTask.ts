/** An export that is being worked on, and whose it is. */
export interface ExportTask {
  readonly exportId: number
  readonly uuid: string
  readonly withVideoFiles: boolean
  readonly userId: number
  readonly username: string
  readonly email: string
  readonly accountId: number
  /** Of the account. */
  readonly actorId: number
}
