import { assert, describe, it } from "@effect/vitest"
import { sign } from "node:crypto"
import { Effect } from "effect"
import { digestOf } from "../../src/signatures/Digest.ts"
import type { SignedRequest } from "../../src/signatures/SignedRequest.ts"
import {
  actor,
  bytes,
  cavageHeader,
  dateHeader,
  host,
  keyId,
  keysOf,
  now,
  origin,
  pairs,
  refusal,
  signedBy,
  verify,
  without
} from "./support/Signing.ts"

const body = bytes('{"type":"Like"}')

/** Values of what a test signs by hand, in the order of `names`. */
const textOf = (names: ReadonlyArray<string>, values: Readonly<Record<string, string>>) =>
  names.map((name) => `${name}: ${values[name] ?? ""}`).join("\n")

const values = {
  "(request-target)": "post /inbox",
  host,
  date: dateHeader(),
  digest: digestOf(body),
  "(created)": String(now / 1_000),
  "(expires)": String(now / 1_000 + 60),
  "content-type": "application/activity+json"
}

/** A delivery whose signature covers `names`; the text may be made of other values than the headers. */
const delivery = (
  names: ReadonlyArray<string>,
  options: {
    readonly algorithm?: string
    readonly keyId?: string
    readonly more?: string
    readonly values?: Readonly<Record<string, string>>
    readonly key?: "rsa" | "ed25519"
  } = {}
): SignedRequest => {
  const { values: other, key = "rsa", ...fields } = options
  const signed = { ...values, ...other }
  const text = textOf(names, signed)
  const header = cavageHeader({ headers: names.join(" "), ...fields }, text, pairs[key].signing.privateKey)
  const headers = { host, date: signed.date, digest: signed.digest, "content-type": signed["content-type"] }
  return { method: "POST", target: "/inbox", headers: { ...headers, signature: header }, body, host, origin }
}

const required = ["(request-target)", "host", "date", "digest"]
const timed = ["(request-target)", "(created)", "host", "digest"]
const created = `,created=${now / 1_000}`

describe("draft-cavage-12", () => {
  it.effect("verifies what we sign, by RSA and Ed25519, with and without a body", () =>
    Effect.gen(function* () {
      for (const { signing, verification } of Object.values(pairs))
        for (const options of [{ body }, { body: bytes("") }, {}, { target: "/accounts/bob/outbox?page=1&x=%20" }]) {
          const request = yield* signedBy(signing, "cavage", options)
          assert.deepInclude(yield* verify(request, verification), { keyId, actor, form: "cavage" })
        }
    })
  )

  it.effect("signs as the contract has it", () =>
    Effect.gen(function* () {
      const { headers } = yield* signedBy(pairs.rsa.signing, "cavage", { body })
      assert.match(
        headers["signature"] ?? "",
        /^keyId="[^"]+",algorithm="rsa-sha256",headers="\(request-target\) host date digest",signature="[^"]+"$/
      )
      assert.match(headers["digest"] ?? "", /^SHA-256=[\w+/]{43}=$/)
      const get = yield* signedBy(pairs.ed25519.signing, "cavage")
      assert.match(get.headers["signature"] ?? "", /algorithm="hs2019",headers="\(request-target\) host date",/)
      assert.notProperty(get.headers, "digest")
    })
  )

  it.effect("reads what peers write: any order, blanks, hs2019, (created), no algorithm, more headers", () =>
    Effect.gen(function* () {
      const good: ReadonlyArray<readonly [SignedRequest, ("rsa" | "ed25519")?]> = [
        [delivery(required)],
        [delivery(["digest", "date", "content-type", "host", "(request-target)"])],
        [delivery(required, { algorithm: "hs2019" })],
        [delivery(required, { algorithm: "RSA-SHA256" })],
        [delivery(required, { algorithm: "hs2019", key: "ed25519" }), "ed25519"],
        [delivery(required, { key: "ed25519", algorithm: "ed25519" }), "ed25519"],
        [delivery(timed, { algorithm: "hs2019", more: created })],
        [delivery([...timed, "(expires)"], { more: `${created},expires=${now / 1_000 + 60}` })],
        [delivery(required, { more: ' , unknown="x y", opaque="a"' })]
      ]
      for (const [request, key = "rsa"] of good)
        assert.strictEqual((yield* verify(request, pairs[key].verification)).actor, actor)
    })
  )

  it.effect("knows key ids with and without fragment and of acct:, and no others", () =>
    Effect.gen(function* () {
      for (const id of [actor, keyId, "acct:alice@peer.example", "https://peer.example/keys/7?of=alice"]) {
        const { asked, lookup } = keysOf(pairs.rsa.verification)
        const verified = yield* verify(delivery(required, { keyId: id }), lookup)
        assert.deepInclude(verified, { keyId: id, actor, form: "cavage" })
        assert.deepStrictEqual(asked, [[id, false]])
      }
      for (const id of [
        "",
        "alice",
        "file:///etc/passwd",
        "https://u:p@peer.example/",
        "https://é.example/",
        "acct:@x",
        "acct:a@b/c"
      ])
        assert.match(
          yield* refusal(delivery(required, { keyId: id })),
          /^401: (keyid is none|the signature is malformed)$/i,
          id
        )
    })
  )

  it.effect("takes a target without its query where there is no body, as some peers sign it", () =>
    Effect.gen(function* () {
      const names = ["(request-target)", "host", "date"]
      const text = textOf(names, { ...values, "(request-target)": "get /outbox" })
      const signature = cavageHeader({ headers: names.join(" ") }, text)
      const get = {
        method: "GET",
        target: "/outbox?page=1",
        headers: { host, date: values.date, signature },
        body: undefined,
        host,
        origin
      }
      assert.strictEqual((yield* verify(get)).actor, actor)
      assert.match(yield* refusal({ ...get, target: "/inbox?page=1" }), /^403/)
      const post = { ...delivery(required), target: "/inbox?as=admin" }
      assert.match(yield* refusal(post), /^403/)
    })
  )

  it.effect("demands what a signature has to cover (AP-08)", () =>
    Effect.gen(function* () {
      for (const missing of required) {
        const names = required.filter((it) => it !== missing)
        assert.match(yield* refusal(delivery(names)), /^401: .* (has|have) to be signed$/, missing)
      }
      const get = yield* signedBy(pairs.rsa.signing, "cavage")
      assert.match(yield* refusal({ ...get, body, method: "POST" }), /^401: digest has to be signed/)
      assert.strictEqual(
        yield* refusal({ ...get, headers: without(get.headers, "signature") }),
        "401: the request is not signed"
      )
    })
  )

  it.effect("refuses another host, a signed header that is not there, and names that mean something else", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal({ ...delivery(required), host: "other.example" }), "401: host is not ours")
      for (const [name, why] of [
        ["x-absent", "not there"],
        ["constructor", "not there"],
        ["__proto__", "not there"],
        ["(algorithm)", "not read"],
        ["signature", "not read"],
        ["authorization", "not read"],
        ["request-line", "not read"],
        ["date", "come twice"]
      ] as const)
        assert.match(yield* refusal(delivery([...required, name])), new RegExp(`^401: .*${why}`), name)
      assert.match(
        yield* refusal(delivery([...required, ...Array.from({ length: 70 }, (_, at) => `x-${at}`)])),
        /too many/
      )
    })
  )

  it.effect("holds the window of time to the second", () =>
    Effect.gen(function* () {
      for (const off of [-1_800, 1_800])
        assert.strictEqual((yield* verify(delivery(required, { values: { date: dateHeader(off) } }))).actor, actor)
      for (const date of [dateHeader(-1_801), dateHeader(1_801), "yesterday", "", "2026-11-22T06:00:00Z", String(now)])
        assert.strictEqual(yield* refusal(delivery(required, { values: { date } })), "401: date is not of now", date)
      const at = (seconds: number) => ({
        more: `,created=${now / 1_000 + seconds}`,
        values: { "(created)": String(now / 1_000 + seconds) }
      })
      assert.strictEqual((yield* verify(delivery(timed, at(-1_800)))).actor, actor)
      for (const off of [-1_801, 1_801]) assert.match(yield* refusal(delivery(timed, at(off))), /created is not of now/)
      assert.match(yield* refusal(delivery(timed, { values: { "(created)": "undefined" } })), /not there/)
      const expired = { more: `${created},expires=${now / 1_000 - 1}` }
      assert.match(yield* refusal(delivery(timed, expired)), /expired/)
    })
  )

  it.effect("believes no algorithm over the key's type, and knows none of others", () =>
    Effect.gen(function* () {
      for (const algorithm of ["hmac-sha256", "rsa-sha1", "ecdsa-sha256", "dsa-sha1", "none", "", "rsa"])
        assert.strictEqual(yield* refusal(delivery(required, { algorithm })), "401: algorithm is not known", algorithm)
      assert.match(yield* refusal(delivery(required, { algorithm: "ed25519" })), /^403/)
      assert.match(
        yield* refusal(delivery(required, { algorithm: "rsa-sha256", key: "ed25519" }), pairs.ed25519.verification),
        /^403/
      )
      assert.match(yield* refusal(delivery(timed, { algorithm: "rsa-sha256", more: created })), /not of this algorithm/)
      const request = delivery(required)
      const text = textOf(required, values)
      const sha512 = sign("sha512", Buffer.from(text), pairs.rsa.signing.privateKey).toString("base64")
      const named = (algorithm: string) =>
        `keyId="${keyId}",algorithm="${algorithm}",headers="${required.join(" ")}",signature="${sha512}"`
      const signed = { ...request, headers: { ...request.headers, signature: named("rsa-sha512") } }
      assert.strictEqual((yield* verify(signed)).actor, actor)
      assert.match(yield* refusal({ ...request, headers: { ...request.headers, signature: named("hs2019") } }), /^403/)
    })
  )
})
