import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { SignatureRefused } from "../../src/signatures/SignatureRefused.ts"
import type { SignedRequest } from "../../src/signatures/SignedRequest.ts"
import {
  parseDictionary,
  serializeInnerList,
  isInnerList,
  serializeItem
} from "../../src/signatures/StructuredFields.ts"
import { bytes, host, keyId, now, origin, pairs, signedBy, verify } from "./support/Signing.ts"

const body = bytes('{"type":"Like"}')

/** Pieces that readers of such headers trip over, besides any text at all. */
const piece = fc.oneof(
  fc.constantFrom(
    'keyId="',
    "signature=",
    "headers=",
    "algorithm=",
    "created=",
    "sig1=",
    "sig1=(",
    ":",
    '"',
    "\\",
    ",",
    ";",
    "(",
    ")",
    "?1",
    "@method",
    '"@target-uri"',
    "(request-target)",
    "hs2019",
    "__proto__",
    "constructor",
    "\u0000",
    "\n",
    "=",
    "==",
    "1e9",
    "-1",
    "ÿ",
    "\u{1f600}",
    keyId
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.base64String({ maxLength: 24 }),
  fc.integer().map(String)
)
const header = fc.option(
  fc.array(piece, { maxLength: 30 }).map((it) => it.join("")),
  { nil: undefined }
)

const anything = fc.record({
  signature: header,
  "signature-input": header,
  digest: header,
  "content-digest": header,
  date: header,
  host: fc.option(fc.constant(host), { nil: undefined })
})

/** Some pieces of an honest header doubled, dropped, or put elsewhere. */
const edited = (text: string, edits: ReadonlyArray<readonly [number, number, string]>): string =>
  edits.reduce((it, [from, length, piece]) => {
    const at = from % (it.length + 1)
    return it.slice(0, at) + piece + it.slice(at + length)
  }, text)
const edits = fc.array(fc.tuple(fc.nat(2_000), fc.nat(9), fc.oneof(piece, fc.constant(""))), {
  minLength: 1,
  maxLength: 4
})

/** Refused with a type, or verified: nothing else ever happens. */
const outcome = (request: SignedRequest) =>
  Effect.map(Effect.result(verify(request)), (result) => {
    if (result._tag === "Success") return "verified"
    assert.instanceOf(result.failure, SignatureRefused)
    assert.include([401, 403], result.failure.status)
    assert.isAbove(result.failure.why.length, 0)
    assert.isBelow(result.failure.why.length, 120)
    return "refused"
  })

describe("malformed signatures", () => {
  it.effect("of any text are refused, by type", () =>
    Effect.gen(function* () {
      for (const headers of fc.sample(anything, { numRuns: 500, seed: 11 }))
        for (const content of [body, undefined]) {
          const request = { method: "POST", target: "/inbox", headers, body: content, host, origin }
          assert.strictEqual(yield* outcome(request), "refused", JSON.stringify(headers))
        }
    })
  )

  it.effect("made of honest ones never do anything but be refused or verify", () =>
    Effect.gen(function* () {
      for (const form of ["cavage", "rfc9421"] as const) {
        const honest = yield* signedBy(pairs.rsa.signing, form, { body, now })
        const names = Object.keys(honest.headers).filter((name) => name !== "content-type")
        const samples = fc.sample(fc.tuple(fc.constantFrom(...names), edits), { numRuns: 300, seed: 13 })
        for (const [name, changes] of samples) {
          const headers = { ...honest.headers, [name]: edited(honest.headers[name] ?? "", changes) }
          yield* outcome({ ...honest, headers })
        }
        assert.strictEqual(yield* outcome(honest), "verified")
      }
    })
  )

  it("are read in time that grows with their length", () => {
    // Of megabytes: what grows with the square of the length does not end within the test's time.
    for (const text of [
      '"'.repeat(2_000_000),
      '"\\"'.repeat(700_000),
      "a=(".repeat(700_000),
      "a;".repeat(1_000_000),
      " ,".repeat(1_000_000),
      "\t".repeat(2_000_000),
      `a=:${"A".repeat(2_000_000)}`
    ])
      assert.isUndefined(parseDictionary(text))
  })

  it("of structured fields give nothing, and good ones the text they were", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const dictionary = parseDictionary(pieces.join(""))
        for (const member of dictionary?.values() ?? [])
          assert.isString(isInnerList(member) ? serializeInnerList(member) : serializeItem(member))
      }),
      { numRuns: 1_000 }
    )
    for (const text of ['("a" "b";c;d=1 tok);e="x\\"y\\\\";f=?0;g=:AAE=:', "()", "(?1 -7 *t/x:y)"]) {
      const member = parseDictionary(`it=${text}`)?.get("it")
      assert.strictEqual(member !== undefined && isInnerList(member) && serializeInnerList(member), text)
    }
    for (const [text, serialized] of [
      ["it", "?1"],
      ["it;a", "?1;a"],
      ["it=?1", "?1"],
      ['it="é"', undefined],
      ["it=1.5", undefined],
      ["it=@5", undefined],
      ["it=1234567890123456", undefined],
      ["it=:AB==:", undefined],
      ["it=:AA=:", undefined],
      ['it="\\a"', undefined],
      ["it=1;a;a", undefined],
      ["it=1, it=2", undefined],
      ["it=1 x", undefined],
      ["It=1", undefined],
      ["it=", undefined],
      ["it=(1 2", undefined],
      ["it=(1,2)", undefined]
    ] as const) {
      const member = parseDictionary(text)?.get("it")
      assert.strictEqual(
        member !== undefined && !isInnerList(member) ? serializeItem(member) : undefined,
        serialized,
        text
      )
    }
  })
})
