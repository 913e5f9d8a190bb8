import { assert, layer } from "@effect/vitest"
import { AuditLogRows, LogRows } from "@kinora/domain/wire/Log"
import { DateTime, Effect, FileSystem, Schema } from "effect"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { bearer, send } from "../about/Client.ts"
import { People, peopledNode } from "../../video/list/People.ts"

const report = { message: "It broke", url: "https://example.org/w/1", level: "error", stackTrace: "at a.js:1" }

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send("/api/v1/server/logs/client", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

layer(peopledNode, { excludeTestServices: true })("logs", (it) => {
  it.effect("of the node are listed by time, level and tag, for administrators", () =>
    Effect.gen(function* () {
      const { administrator, moderator, owner } = yield* People
      const fs = yield* FileSystem.FileSystem
      const { storage } = yield* KinoraConfig
      const line = (second: number, level: string, task?: string) =>
        JSON.stringify({
          message: `${level} ${second}`,
          level,
          timestamp: `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`,
          annotations: task === undefined ? {} : { task },
          spans: {},
          fiberId: "#1"
        })
      yield* fs.makeDirectory(storage.logs, { recursive: true })
      yield* fs.writeFileString(
        `${storage.logs}/kinora.log`,
        [
          line(1, "INFO"),
          line(2, "DEBUG"),
          line(3, "ERROR", "views"),
          line(4, "WARN"),
          line(5, "INFO", "views"),
          ""
        ].join("\n")
      )
      const list = Effect.fnUntraced(function* (query: string) {
        const answer = yield* send(`/api/v1/server/logs${query}`, bearer(administrator))
        assert.strictEqual(answer.status, 200, answer.text)
        const rows = yield* Schema.decodeUnknownEffect(LogRows)(answer.json)
        return rows.map(({ message }) => message)
      })
      assert.deepStrictEqual(yield* list(""), ["INFO 1", "ERROR 3", "WARN 4", "INFO 5"])
      assert.deepStrictEqual(yield* list("?level=debug&startDate=2026-01-01T00:00:02.000Z"), [
        "DEBUG 2",
        "ERROR 3",
        "WARN 4",
        "INFO 5"
      ])
      assert.deepStrictEqual(yield* list("?level=warn&endDate=2026-01-01T00:00:03.500Z"), ["ERROR 3"])
      assert.deepStrictEqual(yield* list("?tagsOneOf=views&tagsOneOf=other"), ["ERROR 3", "INFO 5"])
      for (const query of ["?level=loud", "?startDate=yesterday", "?endDate=1"]) {
        assert.strictEqual((yield* send(`/api/v1/server/logs${query}`, bearer(administrator))).status, 400, query)
      }
      for (const path of ["logs", "audit-logs"]) {
        assert.strictEqual((yield* send(`/api/v1/server/${path}`)).status, 401)
        for (const token of [moderator, owner]) {
          assert.strictEqual((yield* send(`/api/v1/server/${path}`, bearer(token))).status, 403)
        }
      }
    })
  )

  it.effect("of administration name who changed what", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const before = DateTime.formatIso(yield* DateTime.now)
      const custom = "/api/v1/config/custom"
      const { authorization } = bearer(administrator).headers as { readonly authorization: string }
      yield* send(custom, {
        method: "PUT",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ instance: { name: "Noted" } })
      })
      const answer = yield* send(`/api/v1/server/audit-logs?startDate=${before}`, bearer(administrator))
      const rows = yield* Schema.decodeUnknownEffect(AuditLogRows)(answer.json)
      assert.lengthOf(rows, 1)
      assert.deepInclude(rows[0], {
        user: "root",
        domain: "settings",
        action: "update",
        after: { "instance.name": "Noted" }
      })
      const none = yield* send(`/api/v1/server/audit-logs?endDate=2026-01-01T00:00:00.000Z`, bearer(administrator))
      assert.deepStrictEqual(none.json, [])
      yield* send(custom, { method: "DELETE", headers: { authorization } })
    })
  )

  it.effect("take what browsers report, within bounds", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      assert.strictEqual((yield* post(report)).status, 204)
      assert.strictEqual(
        (yield* post({ ...report, userAgent: null }, { authorization: `Bearer ${owner}` })).status,
        204
      )
      for (const [field, value] of [
        ["message", ""],
        ["message", "x".repeat(1_001)],
        ["url", undefined],
        ["level", "fatal"],
        ["stackTrace", "x".repeat(15_001)],
        ["meta", { not: "text" }],
        ["userAgent", "x".repeat(201)]
      ] as const) {
        const answer = yield* post({ ...report, [field]: value })
        assert.strictEqual(answer.status, 400, field)
        assert.hasAllKeys(answer.json["invalid-params"], [field])
      }
    })
  )
})
