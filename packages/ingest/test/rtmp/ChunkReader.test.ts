import { assert, describe, it } from "@effect/vitest"
import { ChunkReader } from "../../src/rtmp/ChunkReader.ts"
import { encodeChunks } from "../../src/rtmp/ChunkWriter.ts"
import { messageType, type ReceivedMessage, setChunkSize } from "../../src/rtmp/Messages.ts"
import { RtmpViolation } from "../../src/rtmp/RtmpViolation.ts"
import { header, interleaved } from "../support/Chunks.ts"
import { type Random, randomOf } from "../support/Random.ts"

const mebibyte = 1024 * 1024

const message = (type: number, timestamp: number, payload: Buffer): ReceivedMessage => ({
  ...{ type, timestamp, payload },
  streamId: 1
})

/** All messages of bytes that arrive in these pieces. */
const readAll = (pieces: Iterable<Buffer>, reader = new ChunkReader(16 * mebibyte)): Array<ReceivedMessage> => {
  const found: Array<ReceivedMessage> = []
  for (const piece of pieces) {
    // What was read is overwritten: messages must own their bytes.
    const own = Buffer.from(piece)
    reader.push(own)
    for (let next = reader.next(); next !== undefined; next = reader.next()) found.push(next)
    own.fill(0xee)
  }
  return found
}

const split = function* (bytes: Buffer, random: Random): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const length = random.pick([1, 2, 3, 7, 11, 12, 64, 1_000, 70_000])
    yield bytes.subarray(at, at + length)
    at += length
  }
}

/** Messages of one chunk stream, with steps of time that need formats of all kinds. */
const lane = (type: number, random: Random, longest: number): ReadonlyArray<ReceivedMessage> => {
  let timestamp = random.pick([0, 40, 0xff_ff_00, 0xff_ff_ff, 0xf0_00_00_00])
  let length = 0
  return Array.from({ length: 12 }, () => {
    timestamp = Math.min(timestamp + random.pick([0, 40, 40, 40, 0x01_00_00_01]), 0xff_ff_ff_ff)
    if (random.below(3) === 0) length = Math.min(random.pick([0, 1, 127, 128, 129, 300, 5_000, 66_000]), longest)
    return message(type, timestamp, random.bytes(length))
  })
}

describe("ChunkReader", () => {
  for (const chunkSize of [1, 128, 4_096, 65_536]) {
    it(`reads the same messages however ${chunkSize}-byte chunks are split and interleaved`, () => {
      for (let seed = 0; seed < 12; seed++) {
        const random = randomOf(seed * 1_000 + chunkSize)
        const longest = chunkSize === 1 ? 300 : 66_000
        const lanes = new Map([
          [random.pick([4, 63]), lane(messageType.audio, random, longest)],
          [random.pick([64, 200, 319]), lane(messageType.video, random, longest)],
          [random.pick([320, 5_000, 65_599]), lane(messageType.data, random, longest)]
        ])
        const { bytes, order } = interleaved(lanes, chunkSize, random)
        const start = Buffer.from(encodeChunks(setChunkSize(chunkSize)))
        assert.deepStrictEqual(readAll(split(Buffer.concat([start, bytes]), random)), order, `seed ${seed}`)
      }
    })
  }

  it("reads what the writer writes", () => {
    const random = randomOf(7)
    for (const timestamp of [0, 0xff_ff_fe, 0xff_ff_ff, 0xff_ff_ff_ff]) {
      const sent = message(messageType.video, timestamp, random.bytes(200_000))
      const start = Buffer.from(encodeChunks(setChunkSize(65_536)))
      assert.deepStrictEqual(readAll([start, Buffer.from(encodeChunks(sent, 65_536))]), [sent])
    }
  })

  it("understands encoders that leave the extended timestamp out where a message continues", () => {
    const random = randomOf(11)
    const sent = message(messageType.video, 0x01_23_45_67, random.bytes(300))
    const continued = Buffer.from([0xc0 | 6])
    const parts = [
      header(0, 6, sent.timestamp, sent),
      sent.payload.subarray(0, 128),
      continued,
      sent.payload.subarray(128, 256),
      continued,
      sent.payload.subarray(256)
    ]
    for (let seed = 0; seed < 10; seed++) {
      assert.deepStrictEqual(readAll(split(Buffer.concat(parts), randomOf(seed))), [sent])
    }
  })

  it("forgets a message that is aborted", () => {
    const long = message(messageType.video, 0, Buffer.alloc(300))
    const abort = message(messageType.abort, 0, Buffer.from([0, 0, 0, 6]))
    const short = message(messageType.video, 0, Buffer.from([1, 2, 3]))
    const bytes = [
      header(0, 6, 0, long),
      long.payload.subarray(0, 128),
      header(0, 2, 0, abort),
      abort.payload,
      header(0, 6, 0, short),
      short.payload
    ]
    assert.deepStrictEqual(readAll(bytes), [short])
  })

  const refused: ReadonlyArray<readonly [why: string, bytes: ReadonlyArray<Buffer>]> = [
    ["format 1 first", [header(1, 6, 0, message(9, 0, Buffer.alloc(4)))]],
    ["format 2 first", [header(2, 6, 0, message(9, 0, Buffer.alloc(4)))]],
    ["format 3 first", [Buffer.from([0xc6])]],
    ...[0, mebibyte + 1, 0xff_ff_ff_ff].map(
      (size) => [`chunk size ${size}`, [Buffer.from(encodeChunks(setChunkSize(size)))]] as const
    ),
    [
      "a message within a message",
      [
        header(0, 6, 0, message(9, 0, Buffer.alloc(300))),
        Buffer.alloc(128),
        header(0, 6, 0, message(9, 0, Buffer.alloc(4)))
      ]
    ],
    [
      "many chunk streams",
      Array.from({ length: 65 }, (_, id) => header(0, 100 + id, 0, message(9, 0, Buffer.alloc(0))))
    ]
  ]
  for (const [why, bytes] of refused) {
    it(`refuses ${why}`, () => {
      assert.throws(() => readAll(bytes), RtmpViolation)
    })
  }

  it("keeps unfinished messages of all chunk streams within one bound", () => {
    const half = message(messageType.video, 0, Buffer.alloc(600))
    const reader = new ChunkReader(1_000)
    readAll([header(0, 6, 0, half), Buffer.alloc(128)], reader)
    assert.throws(() => readAll([header(0, 7, 0, half)], reader), RtmpViolation)
  })
})
