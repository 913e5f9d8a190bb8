import { Schema } from "effect"

/** A picture of an object. Sizes are in pixels. */
export const Picture = Schema.Struct({
  filename: Schema.String,
  width: Schema.Int,
  height: Schema.Int,
  /** Where it is when it is another instance's. */
  remoteUrl: Schema.NullOr(Schema.String)
})
export type Picture = typeof Picture.Type
