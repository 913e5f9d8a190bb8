import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { normaliseResult } from "../../src/vocabulary/Normalise.ts"
import { publicCollection } from "../../src/vocabulary/Terms.ts"

const refused = (document: unknown) => {
  const result = normaliseResult(document)
  return Result.isFailure(result) ? result.failure.why : undefined
}

describe("normalise", () => {
  it.effect("gives one spelling to all of one meaning", () =>
    Effect.gen(function* () {
      const expected = {
        id: "https://a.example/n/1",
        type: "Note",
        attributedTo: "https://a.example/u/1",
        to: [publicCollection],
        content: "hello",
        language: { identifier: "en" }
      }
      for (const document of [
        { ...expected, "@context": "http://10.0.0.1/context", to: ["as:Public"] },
        { ...expected, to: ["Public"], type: ["Note", "https://x.example/Other"] },
        [
          {
            "@id": "https://a.example/n/1",
            "@type": ["https://www.w3.org/ns/activitystreams#Note"],
            "https://www.w3.org/ns/activitystreams#attributedTo": { "@id": "https://a.example/u/1" },
            "as:to": { "@list": [{ "@id": publicCollection }] },
            "as:content": [{ "@value": "hello", "@language": "en" }],
            "sc:inLanguage": { "http://schema.org/identifier": { "@value": "en" } }
          }
        ],
        { ...expected, content: undefined, contentMap: { en: "hello" }, to: [["as:Public"]] }
      ]) {
        const normal = { ...(yield* Effect.fromResult(normaliseResult(document))) } as Record<string, unknown>
        delete normal["contentMap"]
        assert.deepStrictEqual(normal, expected)
      }
    })
  )

  it("refuses what could be read in two ways", () => {
    assert.match(refused({ actor: "https://a.example/1", "as:actor": "https://b.example/1" })!, /two spellings/)
    assert.match(refused({ actor: ["https://a.example/1", "https://b.example/1"] })!, /more than one/)
    assert.match(refused({ "@graph": [] })!, /@graph/)
    assert.match(refused({ object: { "@reverse": {} } })!, /@reverse/)
    for (const none of [null, 5, "x", [], [{}, {}], undefined]) assert.isString(refused(none), String(none))
  })

  it("bounds depth and width (AP-29)", () => {
    let deep: unknown = "x"
    for (let at = 0; at < 5_000; at++) deep = { object: deep }
    assert.strictEqual(refused(deep), "too deep")
    let nested: unknown = ["x"]
    for (let at = 0; at < 5_000; at++) nested = [nested]
    assert.strictEqual(refused({ to: nested }), "too deep")
    assert.strictEqual(refused({ to: Array.from({ length: 60_000 }, () => 1) }), "too many values")
  })

  it("keeps nothing that a database or a prototype would stumble over", () => {
    const result = normaliseResult(JSON.parse('{"__proto__":{"type":"Admin"},"name":"a\\u0000b\\ud800"}'))
    assert.isTrue(Result.isSuccess(result))
    if (Result.isSuccess(result)) {
      assert.deepStrictEqual(Object.keys(result.success), ["name"])
      assert.strictEqual(result.success["name"], "ab\ufffd")
      assert.isUndefined(result.success["type"])
    }
  })
})
