import { Schema } from "effect"

/** An activity of somebody elsewhere, as it is kept with the change it made. */
export const ReceivedActivity = Schema.Struct({
  uri: Schema.String,
  type: Schema.String,
  object: Schema.NullOr(Schema.String),
  /** Its text as it came, with a signature of its actor that others can check; null: it has none. */
  signed: Schema.NullOr(Schema.String),
  /** Its text, where channels announce what is said. */
  text: Schema.NullOr(Schema.String)
})
export type ReceivedActivity = typeof ReceivedActivity.Type
