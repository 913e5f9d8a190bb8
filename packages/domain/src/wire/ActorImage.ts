import { Schema } from "effect"
import { Timestamp } from "./Scalars.ts"

/** One size of an avatar or banner (contract: ActorImage; `path` is the deprecated form of `fileUrl`). */
export const ActorImage = Schema.Struct({
  path: Schema.String,
  fileUrl: Schema.String,
  width: Schema.Int,
  height: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "ActorImage" })
export type ActorImage = typeof ActorImage.Type
