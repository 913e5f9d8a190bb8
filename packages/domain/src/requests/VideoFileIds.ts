import { maxId } from "../ids/Ids.ts"
import { integer, listOf } from "../fields/Readers.ts"

const message = "Should have between 1 and 10 video file ids"

const ids = listOf(integer({ min: 1, max: maxId, message }), message, {
  type: "array",
  items: { type: "integer", minimum: 1 },
  minItems: 1,
  maxItems: 10,
  description: "Files of the video: at most one with a video stream, at most one with an audio stream"
})

/** Query parameter with the files of a video that are put together. */
export const videoFileIds: typeof ids = {
  ...ids,
  parse: (input) => {
    const read = ids.parse(input)
    return read === undefined || read.length === 0 || read.length > 10 ? undefined : read
  }
}
