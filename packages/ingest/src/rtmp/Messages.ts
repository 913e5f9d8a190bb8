/** A message of the chunk stream (RTMP 6). */
export interface RtmpMessage {
  readonly type: number
  readonly streamId: number
  /** Milliseconds, 32 bits. */
  readonly timestamp: number
  readonly payload: Uint8Array
}

/** A message that was received. */
export interface ReceivedMessage extends RtmpMessage {
  readonly payload: Buffer
}

/** Message type ids. */
export const messageType = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowSize: 5,
  peerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  commandAmf3: 17,
  data: 18,
  command: 20,
  aggregate: 22
} as const

/** Events of user control messages (RTMP 7.1.7). */
export const userEvent = {
  streamBegin: 0,
  streamEof: 1,
  setBufferLength: 3,
  pingRequest: 6,
  pingResponse: 7
} as const

const numbers = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}

const control = (type: number, payload: Buffer): RtmpMessage => ({ type, streamId: 0, timestamp: 0, payload })

/** Protocol control messages (RTMP 5.4). */
export const setChunkSize = (size: number) => control(messageType.setChunkSize, numbers(size))
export const acknowledgement = (received: number) => control(messageType.acknowledgement, numbers(received))
export const windowSize = (size: number) => control(messageType.windowSize, numbers(size))

/** Set Peer Bandwidth with the limit type dynamic. */
export const peerBandwidth = (size: number) =>
  control(messageType.peerBandwidth, Buffer.concat([numbers(size), Buffer.from([2])]))

/** A user control message with one number. */
export const userControl = (event: number, value: number): RtmpMessage =>
  control(messageType.userControl, Buffer.concat([Buffer.from([0, event]), numbers(value)]))
