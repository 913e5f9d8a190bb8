import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { AmfMalformed, type AmfValue, decodeAmf0 } from "../../src/amf/Amf0.ts"
import { encodeAmf0 } from "../../src/amf/Amf0Writer.ts"
import { randomOf } from "../support/Random.ts"

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const decoded = (...bytes: ReadonlyArray<number | ReadonlyArray<number>>) => decodeAmf0(Uint8Array.from(bytes.flat()))
const text = (value: string) => [0, value.length, ...Buffer.from(value)]
const refuses = (result: ReturnType<typeof decodeAmf0>) => {
  assert.isTrue(Result.isFailure(result) && result.failure instanceof AmfMalformed)
}

describe("Amf0", () => {
  it("decodes what it encodes", () => {
    const values: ReadonlyArray<AmfValue> = [
      ...["connect", 1, -0.5, true, false, null, "", "x".repeat(70_000).slice(0, 60_000), "ünï"],
      { app: "live", nested: { list: [1, "two", null, { three: 3 }] }, empty: {} }
    ]
    const result = decodeAmf0(encodeAmf0(...values))
    assert.deepStrictEqual(plain(Result.getOrThrow(result)), plain(values))
    assert.deepStrictEqual(Result.getOrThrow(decodeAmf0(encodeAmf0(undefined))), [undefined])
  })

  it("decodes types that only others send", () => {
    const end = [0, 0, 9]
    const one = [0x00, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]
    assert.deepStrictEqual(plain(Result.getOrThrow(decoded([8, 0, 0, 0, 9], text("a"), one, end))), [{ a: 1 }])
    assert.deepStrictEqual(plain(Result.getOrThrow(decoded([0x10], text("T"), text("a"), one, end))), [{ a: 1 }])
    assert.deepStrictEqual(Result.getOrThrow(decoded([0x0b, ...one.slice(1), 0, 0])), [1])
    assert.deepStrictEqual(Result.getOrThrow(decoded([0x0c, 0, 0, 0, 1, 0x61], [0x0d])), ["a", undefined])
  })

  it("takes __proto__ for a name like any other", () => {
    const [object] = Result.getOrThrow(decoded([3], text("__proto__"), [3], text("x"), [1, 1], [0, 0, 9], [0, 0, 9]))
    assert.isFalse("x" in (object as object))
    assert.deepStrictEqual(Object.keys(object as object), ["__proto__"])
  })

  it("refuses what is no AMF0 or breaks a limit", () => {
    const refusals = [
      ...[[0x00, 1], [0x01], [0x02, 0], [0x02, 0, 5, 1], [0x0c, 255, 255, 255, 255], [0x0a, 255, 255, 255, 255]],
      ...[[0x03], [0x03, 0, 0], [0x08, 0, 0], [0x04], [0x07, 0, 0], [0x09], [0x0e], [0x11, 1], [0xff]]
    ]
    for (const bytes of refusals) refuses(decoded(bytes))
    refuses(decodeAmf0(new Uint8Array(64 * 1024 + 1).fill(5)))
    refuses(decodeAmf0(new Uint8Array(3_000).fill(5)))
    const nested = Array.from({ length: 40 }, () => [0x0a, 0, 0, 0, 1]).flat()
    refuses(decoded(nested, [5]))
  })

  it("survives any bytes", () => {
    for (let seed = 0; seed < 5_000; seed++) {
      const random = randomOf(seed)
      const bytes = random.bytes(random.below(200))
      bytes[0] = random.below(17)
      const result = decodeAmf0(bytes)
      assert.isTrue(Result.isSuccess(result) || result.failure instanceof AmfMalformed)
    }
  })
})
