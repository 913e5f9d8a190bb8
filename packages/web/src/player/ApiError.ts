/** Why the player does not get what it asks the API for: an answer that is not a success, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** Last part of the problem document's `type`, such as `video_requires_password`. */
  readonly code: string | undefined

  constructor(status: number, code: string | undefined) {
    super(`The server answered ${status}`)
    this.status = status
    this.code = code
  }

  /** Worth asking again: no connection, too many requests, or trouble on the server's side. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }
}
