/** An export in progress, and its user. */
export interface ExportTask {
  readonly exportId: number
  readonly uuid: string
  readonly withVideoFiles: boolean
  readonly userId: number
  readonly username: string
  readonly email: string
  readonly accountId: number
  /** The actor of the account. */
  readonly actorId: number
}
