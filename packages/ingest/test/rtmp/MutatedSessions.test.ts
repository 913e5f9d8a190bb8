import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Eventually.ts"
import { ffmpeg, pictures } from "../support/Ffmpeg.ts"
import { type Random, randomOf, seeds } from "../support/Random.ts"
import { frame, largeChunks, rawClient } from "../support/RawClient.ts"
import { listening, recorder } from "../support/Recorder.ts"
import { tap } from "../support/Tap.ts"

const handshakeLength = 1 + 2 * 1_536

/** Changes, removes, repeats or inserts bytes in a few places. Most of them are in the commands at the start. */
const mutated = (session: Buffer, random: Random): Buffer => {
  let bytes = Buffer.from(session)
  for (let count = 1 + random.below(8); count > 0; count--) {
    const at = random.below(random.pick([700, bytes.length]))
    const length = random.pick([1, 2, 4, 100])
    const before = bytes.subarray(0, at)
    switch (random.below(4)) {
      case 0:
        bytes[at] = random.below(256)
        break
      case 1:
        bytes = Buffer.concat([before, bytes.subarray(at + length)])
        break
      case 2:
        bytes = Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)])
        break
      default:
        bytes = Buffer.concat([before, random.bytes(length), bytes.subarray(at)])
    }
  }
  return bytes
}

describe("mutated sessions of ffmpeg", () => {
  it.live("end one way or the other, and no other session notices", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const between = yield* tap(port)
      const run = yield* ffmpeg([...pictures(1), `rtmp://127.0.0.1:${between.port}/live/real`])
      assert.strictEqual(run.code, 0, run.log)
      const session = between.sent().subarray(handshakeLength)
      assert.isAbove(session.length, 10_000)

      const other = yield* rawClient(port)
      yield* other.publish("other")
      other.send(largeChunks)
      const recording = recordings.find(({ key }) => key === "other")!
      const tries = seeds(60, 1_000)
      for (let seed = 0; seed < tries; seed++) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const client = yield* rawClient(port)
            yield* client.handshake
            client.send(mutated(session, randomOf(seed)))
            client.socket.end()
            yield* client.closed
          })
        )
        other.send(frame(seed * 40))
      }
      yield* until("all frames of the other", () => recording.tags.length === tries)
      assert.isAbove(recordings.length, 15)
    }).pipe(Effect.scoped)
  )
})
