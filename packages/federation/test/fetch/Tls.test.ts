import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { selfSigned } from "./support/Certificates.ts"
import { fetching, reason } from "./support/Fetching.ts"
import { nameServer } from "./support/NameServer.ts"
import { origin } from "./support/Origin.ts"

const json = { types: ["application/json"], maxBytes: 1_000 }

describe("TLS", () => {
  it.live("asks for and verifies the name while it connects to the address", () =>
    Effect.gen(function* () {
      const certificate = selfSigned(["video.test", "127.0.0.1"])
      const names = yield* nameServer({ "video.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]] })
      const host = yield* origin((_, response) => {
        response.writeHead(200, { "content-type": "application/json" }).end("{}")
      }, certificate)
      const fetch = yield* fetching({ certificates: [certificate.cert] }, names.server)
      yield* fetch.json(host.url("/", "video.test"), json)
      yield* fetch.json(host.url("/again", "video.test"), json)
      yield* fetch.json(host.url("/address"), json)
      assert.deepStrictEqual(
        host.seen.map((it) => [it.headers.host, it.servername]),
        [
          [`video.test:${host.port}`, "video.test"],
          [`video.test:${host.port}`, "video.test"],
          [`127.0.0.1:${host.port}`, false]
        ]
      )
      assert.strictEqual(host.connections().made, 2)

      const foreign = yield* reason(fetch.json(host.url("/", "other.test"), json))
      assert.deepInclude(foreign, { _tag: "Unreachable", code: "ERR_TLS_CERT_ALTNAME_INVALID" })
      const distrustful = yield* fetching({}, names.server)
      const unknown = yield* reason(distrustful.json(host.url("/", "video.test"), json))
      assert.deepInclude(unknown, { _tag: "Unreachable", code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
      assert.strictEqual(host.seen.length, 3)
    }).pipe(Effect.scoped)
  )

  it.live("never goes from https to http (FET-05)", () =>
    Effect.gen(function* () {
      const certificate = selfSigned(["127.0.0.1"])
      const plain = yield* origin((_, response) => response.writeHead(200).end())
      const host = yield* origin(
        (_, response) => response.writeHead(302, { location: plain.url("/") }).end(),
        certificate
      )
      const fetch = yield* fetching({ certificates: [certificate.cert] })
      assert.deepInclude(yield* reason(fetch.json(host.url("/"), json)), { _tag: "Refused", what: "downgrade" })
      assert.strictEqual(plain.seen.length, 0)
    }).pipe(Effect.scoped)
  )
})
