import { Schema } from "effect"
import { Page, Timestamp, Url } from "./Scalars.ts"

/** A copy (contract: FileRedundancyInformation). `strategy` is null of copies others keep; bytes. */
const FileRedundancyInformation = Schema.Struct({
  id: Schema.Int,
  fileUrl: Url,
  strategy: Schema.NullOr(Schema.Literals(["manual", "most-views", "trending", "recently-added"])),
  size: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Null: until somebody removes it. */
  expiresOn: Schema.NullOr(Timestamp)
}).annotate({ identifier: "FileRedundancyInformation" })

/** A video with the copies there are of it (contract: VideoRedundancy). */
const VideoRedundancy = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  url: Url,
  uuid: Schema.String,
  redundancies: Schema.Struct({ streamingPlaylists: Schema.Array(FileRedundancyInformation) })
}).annotate({ identifier: "VideoRedundancy" })
export type VideoRedundancy = typeof VideoRedundancy.Type

export const VideoRedundancyList = Page(VideoRedundancy)
