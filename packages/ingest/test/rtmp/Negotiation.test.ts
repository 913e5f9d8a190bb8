import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { type AmfArray, type AmfValue, decodeAmf0 } from "../../src/amf/Amf0.ts"
import { encodeAmf0 } from "../../src/amf/Amf0Writer.ts"
import { messageType } from "../../src/rtmp/Messages.ts"
import { Negotiation } from "../../src/rtmp/Negotiation.ts"

/** What a negotiation answers to a command. */
const conversation = () => {
  const negotiation = new Negotiation()
  return Effect.fnUntraced(function* (type: number, ...values: ReadonlyArray<AmfValue>) {
    const body = Buffer.from(encodeAmf0(...values))
    const payload = type === messageType.commandAmf3 ? Buffer.concat([Buffer.from([0]), body]) : body
    const step = yield* negotiation.step({ type, streamId: 1, timestamp: 0, payload })
    const commands: ReadonlyArray<AmfArray> = step.replies
      .filter((reply) => reply.type === messageType.command)
      .map((reply) => JSON.parse(JSON.stringify(Result.getOrThrow(decodeAmf0(reply.payload)))))
    return { ...step, commands }
  })
}

describe("negotiation", () => {
  it.effect("tells clients of Enhanced RTMP what is passed on, and others nothing of it", () =>
    Effect.gen(function* () {
      const plain = yield* conversation()(messageType.command, "connect", 1, { app: "live" })
      assert.notInclude(JSON.stringify(plain.commands), "ourCc")
      const client = {
        app: "live",
        fourCcList: ["hvc1"],
        videoFourCcInfoMap: { "*": 4 },
        audioFourCcInfoMap: {},
        capsEx: 7
      }
      const enhanced = yield* conversation()(messageType.command, "connect", 1, client)
      const [name, transaction, properties, information] = enhanced.commands[0]!
      assert.deepStrictEqual([name, transaction], ["_result", 1])
      for (const object of [properties, information]) {
        assert.deepInclude(object as object, {
          fourCcList: ["avc1", "hvc1", "av01", "vp09", "mp4a", ".mp3"],
          videoFourCcInfoMap: { avc1: 4, hvc1: 4, av01: 4, vp09: 4 },
          capsEx: 0
        })
      }
    })
  )

  it.effect("answers the commands of encoders up to publish", () =>
    Effect.gen(function* () {
      const say = conversation()
      yield* say(messageType.command, "connect", 1, { app: "live/?a=b" })
      const released = yield* say(messageType.command, "releaseStream", 2, null, "key")
      assert.deepStrictEqual(released.commands[0]?.slice(0, 2), ["_result", 2])
      const prepared = yield* say(messageType.command, "FCPublish", 3, null, "key")
      assert.deepStrictEqual(
        prepared.commands.map(([name]) => name),
        ["_result", "onFCPublish"]
      )
      assert.deepStrictEqual((yield* say(messageType.command, "_checkbw", 4, null)).commands, [])
      const created = yield* say(messageType.commandAmf3, "createStream", 5, null)
      assert.deepStrictEqual(created.commands, [["_result", 5, null, 1]])
      const { wish } = yield* say(messageType.command, "publish", 6, null, "key?x=y", "live")
      assert.deepStrictEqual(wish, { kind: "publish", app: "live", key: "key", streamId: 1 })
    })
  )
})
