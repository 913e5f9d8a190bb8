/** The result of a finished upload. Kept with the session, so that a repeated last request gets the same answer. */
export interface UploadResult {
  readonly id: number
  readonly uuid: string
}

/** A run of a node that receives a form: no other run can go on with it. */
export interface UploadHolder {
  /** The node's name, the same in all of its runs. */
  readonly node: string
  readonly run: string
}

/** Purpose of an upload: a new video, another source for a video, or an archive of a user's data. */
export type UploadKind = "video" | "replace" | "user-import"

/** An upload in progress, or one that recently became a video. */
export interface UploadSession {
  readonly id: string
  readonly userId: number
  /** The user whose quota it uses. */
  readonly payerId: number
  readonly kind: UploadKind
  /** The video whose source it replaces. Null for new videos and archives. */
  readonly videoId: number | null
  /** The file name from the client: only data, never part of a path. */
  readonly filename: string
  /** Announced size in bytes. */
  readonly size: number
  /** Bytes that are on disk, in order, and acknowledged. */
  readonly received: number
  readonly metadata: unknown
  readonly state: "open" | "finishing" | "done"
  readonly result: UploadResult | null
}

/** The reservation of an upload, and whose quota it uses. */
export interface UploadSize {
  readonly id: string
  /** The uploading user. */
  readonly userId: number
  /** The user whose quota it uses: the owner of the channel. */
  readonly payerId: number
  /** Bytes. */
  readonly size: number
  /** The video whose source it replaces: the bytes of the old source are freed. */
  readonly videoId?: number | undefined
}

export interface NewUploadSession extends UploadSize {
  /** Absent: the source of a video; of a new one if `videoId` is absent. */
  readonly kind?: UploadKind
  readonly filename: string
  readonly contentType: string
  /** Any JSON value. Null while it is not known yet. */
  readonly metadata: unknown
  readonly lifetimeSeconds: number
}

/** Limits for an upload. Bytes; -1 means no limit. */
export interface UploadLimits {
  readonly quota: number
  readonly quotaDaily: number
  /** Free bytes of the disk, less the reserve that must stay free. */
  readonly diskFree: number
  /** Maximum number of open uploads per user. */
  readonly sessions: number
}
