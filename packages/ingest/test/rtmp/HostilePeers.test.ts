import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AmfValue } from "../../src/amf/Amf0.ts"
import { encodeChunks } from "../../src/rtmp/ChunkWriter.ts"
import { setChunkSize } from "../../src/rtmp/Messages.ts"
import { until } from "../support/Eventually.ts"
import { randomOf, seeds } from "../support/Random.ts"
import { frame, hello, largeChunks, rawClient, type RawClient } from "../support/RawClient.ts"
import { listening, recorder } from "../support/Recorder.ts"

/** Runs an attack while another publisher is at work, who must not notice. */
const beside = (attack: (client: RawClient) => Effect.Effect<void>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      const other = yield* rawClient(port)
      yield* other.publish("other")
      other.send(largeChunks)
      other.send(frame(0))
      yield* until("the first frame", () => recordings[0]?.tags.length === 1)
      const client = yield* rawClient(port)
      yield* attack(client)
      yield* client.closed
      other.send(frame(40))
      yield* until("the second frame", () => recordings[0]?.tags.length === 2)
      assert.isFalse(other.isClosed())
      return { client, recordings }
    })
  )

const sends = (bytes: Uint8Array) => (client: RawClient) => Effect.sync(() => client.send(bytes))
const afterHandshake = (bytes: Uint8Array) => (client: RawClient) =>
  Effect.andThen(client.handshake, sends(bytes)(client))
const afterPublish = (bytes: Uint8Array) => (client: RawClient) =>
  Effect.andThen(client.publish("key"), sends(bytes)(client))

describe("hostile peers", () => {
  const attacks: ReadonlyArray<readonly [what: string, attack: (client: RawClient) => Effect.Effect<void>]> = [
    ["version 6 (encrypted)", sends(Buffer.concat([Buffer.from([6]), hello.subarray(1)]))],
    ["HTTP", sends(Buffer.from("GET / HTTP/1.1\r\n\r\n"))],
    ["C2 that repeats nothing", sends(Buffer.concat([hello, Buffer.alloc(1_536, 9)]))],
    ["a huge chunk size", afterHandshake(encodeChunks(setChunkSize(0x7f_ff_ff_ff)))],
    ["chunk size 0", afterHandshake(encodeChunks(setChunkSize(0)))],
    ["a chunk stream that never began", afterHandshake(Buffer.from([0xc7, 1, 2, 3]))],
    ["a message larger than 64 KiB before publish", afterHandshake(Buffer.from("030000000100011400000000", "hex"))],
    ["media before publish", afterHandshake(Buffer.concat([largeChunks, frame(0)]))],
    ["a chunk stream that never began, while publishing", afterPublish(Buffer.from([0xc7, 1, 2, 3]))],
    ["a frame without its header", afterPublish(Buffer.from("0600000000000209000000001701", "hex"))],
    [
      "no command but many bytes",
      (client) =>
        Effect.andThen(
          client.handshake,
          Effect.sync(() => {
            const small = encodeChunks({ type: 18, streamId: 0, timestamp: 0, payload: Buffer.alloc(100) }, 128)
            for (let count = 0; count < 3_000; count++) client.send(small)
          })
        )
    ],
    [
      "a command before connect",
      (client) =>
        Effect.andThen(
          client.handshake,
          Effect.sync(() => client.command("createStream", 1, null))
        )
    ],
    [
      "a second connect",
      (client) =>
        Effect.andThen(
          client.handshake,
          Effect.sync(() => {
            client.command("connect", 1, { app: "live" })
            client.command("connect", 2, { app: "live" })
          })
        )
    ],
    [
      "a command without a name",
      (client) =>
        Effect.andThen(
          client.handshake,
          Effect.sync(() => client.command(1, 2, 3))
        )
    ],
    [
      "a second publish",
      (client) =>
        Effect.andThen(
          client.publish("key"),
          Effect.sync(() => client.command("publish", 4, null, "other", "live"))
        )
    ]
  ]
  for (const [what, attack] of attacks) it.live(`closes for ${what}`, () => beside(attack))

  const names: ReadonlyArray<readonly [what: string, name: AmfValue]> = [
    ["false", false],
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["an object", { toString: "x" }],
    ["an array", ["key"]],
    ["an empty text", ""],
    ["a query alone", "?token=x"],
    ["a long text", "k".repeat(300)]
  ]
  for (const [what, name] of names) {
    it.live(`refuses to publish under ${what}`, () =>
      Effect.gen(function* () {
        const { client, recordings } = yield* beside((hostile) => hostile.publish(name))
        assert.isTrue(client.hasStatus("NetStream.Publish.BadName"))
        assert.strictEqual(recordings.length, 1)
      })
    )
  }

  for (const app of [undefined, false, 7, {}, "", "a".repeat(300)] satisfies ReadonlyArray<AmfValue>) {
    it.live(`refuses the application ${JSON.stringify(app)?.slice(0, 20)}`, () =>
      Effect.gen(function* () {
        const { client } = yield* beside((hostile) =>
          Effect.andThen(
            hostile.handshake,
            Effect.sync(() => hostile.command("connect", 1, { app }))
          )
        )
        assert.strictEqual(client.commands[0]?.[0], "_error")
      })
    )
  }

  it.live("lives on after random bytes", () =>
    Effect.gen(function* () {
      const { handlers, recordings } = recorder()
      const port = yield* listening(handlers)
      for (let seed = 0; seed < seeds(60, 600); seed++) {
        const random = randomOf(seed)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const client = yield* rawClient(port)
            if (seed % 3 === 1) yield* client.handshake
            if (seed % 3 === 2) yield* client.publish(`${seed}`)
            client.send(random.bytes(random.below(20_000)))
            client.socket.end()
            yield* client.closed
          })
        )
      }
      const after = yield* rawClient(port)
      yield* after.publish("after")
      after.send(largeChunks)
      after.send(frame(0))
      yield* until("a frame", () => recordings.at(-1)?.tags.length === 1)
    }).pipe(Effect.scoped)
  )
})
