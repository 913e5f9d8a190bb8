import { Schema } from "effect"

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** UUID of a video, in lower case with its four dashes. */
export const VideoUuid = Schema.String.check(Schema.isPattern(pattern)).pipe(Schema.brand("VideoUuid"))
export type VideoUuid = typeof VideoUuid.Type

/** The UUID in lower case, or undefined when the text is not one (any version, RFC 9562 text form). */
export const parseUuid = (text: string): VideoUuid | undefined => {
  const lower = text.toLowerCase()
  return pattern.test(lower) ? (lower as VideoUuid) : undefined
}
