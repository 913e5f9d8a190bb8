/** What a finished upload became. Kept with the session, so that a repeated last request gets the same answer. */
export interface UploadResult {
  readonly id: number
  readonly uuid: string
}

/** What an upload is for: a new video, another source of a video, or an archive of a user's data. */
export type UploadKind = "video" | "replace" | "user-import"

/** An upload in progress, or one that became a video a short while ago. */
export interface UploadSession {
  readonly id: string
  readonly userId: number
  /** Whose quota it takes. */
  readonly payerId: number
  readonly kind: UploadKind
  /** The video whose source it is to replace; null when it becomes something new. */
  readonly videoId: number | null
  /** The name the client gave: data, never part of a path. */
  readonly filename: string
  /** Bytes announced. */
  readonly size: number
  /** Bytes that are on disk, in order, and acknowledged. */
  readonly received: number
  readonly metadata: unknown
  readonly state: "open" | "finishing" | "done"
  readonly result: UploadResult | null
}

/** What is reserved for an upload, and from whose quota. */
export interface UploadSize {
  readonly id: string
  /** Who uploads. */
  readonly userId: number
  /** Whose quota it takes: the owner of the channel. */
  readonly payerId: number
  /** Bytes. */
  readonly size: number
  /** The video whose source it is to replace: what that one takes is given back. */
  readonly videoId?: number | undefined
}

export interface NewUploadSession extends UploadSize {
  /** Absent: the source of a video, of a new one where none is named. */
  readonly kind?: UploadKind
  readonly filename: string
  readonly contentType: string
  /** Any JSON value; null while it is not known yet. */
  readonly metadata: unknown
  readonly lifetimeSeconds: number
}

/** What an upload has to fit into. Bytes; -1 is no limit. */
export interface UploadLimits {
  readonly quota: number
  readonly quotaDaily: number
  /** Free bytes of the disk, less what must stay free. */
  readonly diskFree: number
  /** Open uploads one user may have. */
  readonly sessions: number
}
