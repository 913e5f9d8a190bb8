/** What the chunks of one chunk stream id inherit from each other, and the message that they carry. */
export class ChunkStream {
  timestamp = 0
  /** What is added for the next message without a time of its own. */
  delta = 0
  /** The field of the last header with one, and whether its value stood behind the header. */
  extended = false
  extendedValue = 0
  length = 0
  type = 0
  streamId = 0
  /** The message so far; undefined between messages. */
  payload: Buffer | undefined
  filled = 0
}
