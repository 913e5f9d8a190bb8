import type { VideoDetails as FullVideo } from "@kinora/domain/wire/Video"
import type { VideoFile as FullFile } from "@kinora/domain/wire/VideoFile"

/** Contract: VideoChapters. */
export interface Chapter {
  readonly title: string
  /** Whole seconds. */
  readonly timecode: number
}

export type { Storyboard } from "@kinora/domain/wire/VideoAnswers"

/** The parts of the REST answers that the player reads. */
export type VideoFile = Pick<FullFile, "resolution" | "fileUrl" | "fps" | "hasAudio" | "hasVideo">

export interface StreamingPlaylist {
  readonly playlistUrl: string
  readonly files: ReadonlyArray<VideoFile>
}

export interface VideoDetails extends Pick<
  FullVideo,
  | "description"
  | "duration"
  | "isLive"
  | "liveSchedules"
  | "name"
  | "nsfw"
  | "nsfwFlags"
  | "nsfwSummary"
  | "privacy"
  | "publishedAt"
  | "state"
> {
  readonly files: ReadonlyArray<VideoFile>
  readonly streamingPlaylists: ReadonlyArray<StreamingPlaylist>
}

/** Contract: VideoCaption. */
export interface Caption {
  readonly language: { readonly id: string; readonly label: string }
  readonly automaticallyGenerated: boolean
  readonly fileUrl?: string
  readonly captionPath: string
}

/** What pages of videos read of the same answer, besides. */
export interface ShownVideo
  extends
    Omit<VideoDetails, "files" | "streamingPlaylists">,
    Pick<
      FullVideo,
      | "account"
      | "channel"
      | "comments"
      | "commentsPolicy"
      | "dislikes"
      | "downloadEnabled"
      | "files"
      | "likes"
      | "shortUUID"
      | "streamingPlaylists"
      | "uuid"
      | "viewers"
    > {}
