import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { makeS3Client } from "../../../../src/platform/objects/s3/S3Client.ts"

/** A service whose clock is ahead of ours by so many seconds, and which refuses what is signed a quarter of an hour off. */
const serviceAhead = Effect.acquireRelease(
  Effect.promise(async () => {
    const state = { ahead: 0, refused: 0, taken: 0 }
    const server = createServer((request, response) => {
      const now = Date.now() + state.ahead * 1000
      const [, year, month, day, hour, minute, second] =
        /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(request.headers["x-amz-date"])) ?? []
      const signed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      const isTaken = Math.abs(signed - now) < 900_000
      if (isTaken) state.taken++
      else state.refused++
      response.writeHead(isTaken ? 200 : 403, { date: new Date(now).toUTCString(), etag: '"1"', "content-length": "0" })
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    return { server, state, port: (server.address() as AddressInfo).port }
  }),
  ({ server }) =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
)

describe("a clock that is wrong", () => {
  it.live("is found out by the service's answer, and requests are signed by that of the service", () =>
    Effect.gen(function* () {
      const { port, state } = yield* serviceAhead
      const client = yield* makeS3Client({
        endpoint: `http://127.0.0.1:${port}`,
        region: "us-east-1",
        accessKeyId: "key",
        secretAccessKey: Redacted.make("secret"),
        pathStyle: true,
        partBytes: 65536,
        attempts: 1,
        silence: Duration.seconds(5)
      })
      const asked = (ahead: number) =>
        Effect.gen(function* () {
          Object.assign(state, { ahead, refused: 0, taken: 0 })
          for (let nth = 0; nth < 3; nth++) yield* client.find("bucket", "key")
          return [state.refused, state.taken]
        })
      assert.deepStrictEqual(yield* asked(0), [0, 3])
      assert.deepStrictEqual(yield* asked(3600), [1, 3])
      assert.deepStrictEqual(yield* asked(-3600), [1, 3])
      assert.deepStrictEqual(yield* asked(0), [1, 3])
    })
  )
})
