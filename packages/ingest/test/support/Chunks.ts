import type { ReceivedMessage } from "../../src/rtmp/Messages.ts"
import type { Random } from "./Random.ts"

const extendedFrom = 0xff_ff_ff

const basic = (format: number, id: number): Buffer => {
  const high = format << 6
  if (id < 64) return Buffer.from([high | id])
  const low = id - 64
  return low < 256 ? Buffer.from([high, low]) : Buffer.from([high | 1, low & 0xff, low >> 8])
}

const field = (value: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  return bytes
}

/** The header of a chunk. `value` is a timestamp in format 0, and otherwise the difference to the last. */
export const header = (format: number, id: number, value: number, message: ReceivedMessage): Buffer => {
  const time = field(Math.min(value, extendedFrom), 3)
  const size = [field(message.payload.length, 3), Buffer.from([message.type])]
  const stream = Buffer.alloc(4)
  stream.writeUInt32LE(message.streamId)
  return Buffer.concat([
    basic(format, id),
    ...[[time, ...size, stream], [time, ...size], [time], []][format]!,
    ...(value >= extendedFrom ? [field(value, 4)] : [])
  ])
}

interface Sent {
  readonly message: ReceivedMessage
  readonly value: number
  from: number
}

/** The formats in which a message may follow another on the same chunk stream. */
const formatsAfter = (last: Sent | undefined, message: ReceivedMessage): ReadonlyArray<number> => {
  if (last === undefined) return [0]
  const delta = message.timestamp - last.message.timestamp
  if (last.message.streamId !== message.streamId || delta < 0) return [0]
  if (last.message.payload.length !== message.payload.length || last.message.type !== message.type) return [0, 1]
  return delta === last.value ? [0, 1, 2, 3] : [0, 1, 2]
}

/** The chunks of messages on several chunk streams, interleaved at random and in any format that is allowed. */
export const interleaved = (
  lanes: ReadonlyMap<number, ReadonlyArray<ReceivedMessage>>,
  chunkSize: number,
  random: Random
): { readonly bytes: Buffer; readonly order: ReadonlyArray<ReceivedMessage> } => {
  const parts: Array<Buffer> = []
  const order: Array<ReceivedMessage> = []
  const left = new Map([...lanes].map(([id, messages]) => [id, [...messages]]))
  const sent = new Map<number, Sent>()
  while (left.size > 0) {
    const id = random.pick([...left.keys()])
    const queue = left.get(id)!
    let current = sent.get(id)
    if (current === undefined || current.from === current.message.payload.length) {
      const message = queue[0]!
      const format = random.pick(formatsAfter(current, message))
      const value = format === 0 ? message.timestamp : message.timestamp - current!.message.timestamp
      parts.push(header(format, id, value, message))
      current = { message, value, from: 0 }
      sent.set(id, current)
    } else {
      parts.push(header(3, id, current.value, current.message))
    }
    const { payload } = current.message
    const part = payload.subarray(current.from, current.from + chunkSize)
    parts.push(part)
    current.from += part.length
    if (current.from < payload.length) continue
    order.push(current.message)
    queue.shift()
    if (queue.length === 0) left.delete(id)
  }
  return { bytes: Buffer.concat(parts), order }
}
