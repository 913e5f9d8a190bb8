import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { makeAccessLog } from "../../../src/platform/http/AccessLog.ts"
import type { AccessEntry } from "../../../src/platform/http/HttpOptions.ts"

const entry: AccessEntry = {
  requestId: "a-1",
  method: "GET",
  url: "/api/v1/config",
  status: 200,
  millis: 1.5,
  bytes: 11,
  ip: "203.0.113.77",
  userAgent: undefined
}

const written = (level: "Debug" | "Info", entries: ReadonlyArray<AccessEntry>, minimum: "Debug" | "Info" = "Info") =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
    yield* Effect.gen(function* () {
      const log = yield* makeAccessLog({ level, pings: false, anonymizeIp: true })
      entries.forEach(log)
      yield* Effect.yieldNow
    }).pipe(Effect.provide(Logger.layer([logger])), Effect.provideService(References.MinimumLogLevel, minimum))
    return lines
  })

describe("the access log", () => {
  it.live("writes requests at its level, and failures of ours as warnings", () =>
    Effect.gen(function* () {
      const entries = [entry, { ...entry, status: 503 }, { ...entry, url: "/api/v1/ping" }]
      assert.deepStrictEqual(yield* written("Info", entries), [
        "Info GET /api/v1/config 200",
        "Warn GET /api/v1/config 503"
      ])
      assert.deepStrictEqual(yield* written("Debug", entries), ["Warn GET /api/v1/config 503"])
      assert.strictEqual((yield* written("Debug", entries, "Debug")).length, 2)
    })
  )
})
