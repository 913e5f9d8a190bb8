export interface NewRemoteComment {
  readonly url: string
  readonly videoId: number
  readonly accountId: number
  /** Address of the comment it replies to, which may be one that is written before it; null begins a thread. */
  readonly parent: string | null
  readonly text: string
  readonly published: string | null
  readonly updated: string | null
  /** It waits until somebody approves it. */
  readonly hold: boolean
  /** People are notified of it. */
  readonly news: boolean
}

/** What became of a comment: `written`, `held` or `known` have a row, the others say why there is none. */
export type RemoteCommentOutcome =
  | "written"
  | "held"
  | "known"
  | "gone"
  | "muted"
  | "disabled"
  | "no account"
  | "no video"
  | "no comment"

export interface AddedComment {
  readonly outcome: RemoteCommentOutcome
  readonly id: number | null
}
