import { Schema } from "effect"
import { Url } from "./Scalars.ts"

/** One size of a video's or playlist's picture; `aspectRatio` as text, such as "16:9". */
export const Thumbnail = Schema.Struct({
  fileUrl: Url,
  width: Schema.Int,
  height: Schema.Int,
  aspectRatio: Schema.String
}).annotate({ identifier: "Thumbnail" })
export type Thumbnail = typeof Thumbnail.Type
