import { assert, layer } from "@effect/vitest"
import { CustomConfig } from "@kinora/domain/wire/CustomConfig"
import { AuditLists } from "@kinora/storage/platform/audit/AuditLists"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CustomSettings } from "../../../src/instance/settings/CustomSettings.ts"
import { bearer, send } from "../about/Client.ts"
import { People, peopledNode } from "../../video/list/People.ts"

const path = "/api/v1/config/custom"

const change = (token: string, body: unknown) =>
  send(path, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

layer(peopledNode, { excludeTestServices: true })("settings of administrators", (it) => {
  it.effect("are all read and written back unchanged", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const sql = yield* SqlClient
      const before = yield* send(path, bearer(administrator))
      assert.strictEqual(before.status, 200)
      yield* Schema.decodeUnknownEffect(CustomConfig)(before.json)
      const after = yield* change(administrator, before.json)
      assert.strictEqual(after.status, 200)
      assert.deepStrictEqual(after.json, before.json)
      assert.deepStrictEqual(yield* sql`select 1 from custom_setting`, [])
    })
  )

  it.effect("hold at once, in every answer, and end with a reset", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const sql = yield* SqlClient
      const former = yield* send("/api/v1/config")
      const changed = yield* change(administrator, {
        instance: { name: "Ours", shortDescription: "All of ours", languages: ["fr"] },
        signup: { enabled: true, limit: -1, requiresApproval: false },
        transcoding: { resolutions: { "1080p": false }, web_videos: { enabled: false } },
        export: { users: { exportExpiration: 3_600_000 } },
        unknown: { ignored: true }
      })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.strictEqual(changed.json.export.users.exportExpiration, 3_600_000)
      const { headers, json: config } = yield* send("/api/v1/config")
      assert.strictEqual(config.instance.name, "Ours")
      assert.deepStrictEqual(config.transcoding.enabledResolutions, [240, 360, 480, 720])
      assert.isFalse(config.transcoding.web_videos.enabled)
      assert.isTrue(config.signup.allowed)
      assert.notStrictEqual(headers.get("etag"), former.headers.get("etag"))
      assert.deepStrictEqual((yield* send("/api/v1/config/about")).json.instance.languages, ["fr"])
      assert.strictEqual((yield* send("/nodeinfo/2.0.json")).json.metadata.nodeName, "Ours")
      assert.strictEqual((yield* send("/manifest.webmanifest")).json.name, "Ours")

      const { data } = (yield* send(`${path}/origins`, bearer(administrator))).json
      const originOf = (setting: string) => data.find((it: { setting: string }) => it.setting === setting)?.origin
      assert.strictEqual(originOf("instance.name"), "database")
      assert.strictEqual(originOf("instance.description"), "default")

      const reset = yield* send(path, { ...bearer(administrator), method: "DELETE" })
      assert.strictEqual(reset.json.instance.name, "Kinora")
      assert.strictEqual((yield* send("/api/v1/config")).json.instance.name, "Kinora")
      assert.deepStrictEqual(yield* sql`select 1 from custom_setting`, [])
    })
  )

  it.effect("are refused whole, with every problem by its path", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const refused = yield* change(administrator, {
        instance: { name: "Not kept", isNSFW: "perhaps", social: "none", languages: [{}] },
        transcoding: { threads: -1, fps: { max: "fast" } },
        theme: { customization: { primaryColor: "red; } body { display: none" } },
        videoStudio: { enabled: true }
      })
      assert.strictEqual(refused.status, 400)
      assert.sameMembers(Object.keys(refused.json["invalid-params"]), [
        "instance.isNSFW",
        "instance.social",
        "instance.languages",
        "transcoding.threads",
        "transcoding.fps.max",
        "theme.customization.primaryColor",
        "videoStudio.enabled"
      ])
      assert.strictEqual((yield* send("/api/v1/config")).json.instance.name, "Kinora")
      for (const [body, setting] of [
        [{ instance: { name: " " } }, "instance.name"],
        [{ admin: { email: "nobody" } }, "admin.email"],
        [{ transcoding: { hls: { enabled: false }, webVideos: { enabled: false } } }, "transcoding.hls.enabled"],
        [{ trending: { videos: { algorithms: { enabled: ["hot"] } } } }, "trending.videos.algorithms.default"],
        [{ signup: { enabled: true, requiresEmailVerification: true } }, "signup.requiresEmailVerification"],
        [{ instance: { description: "x".repeat(300_000) } }, "instance.description"],
        [{ instance: [] }, "instance"]
      ] as const) {
        const answer = yield* change(administrator, body)
        assert.strictEqual(answer.status, 400, setting)
        assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), [setting])
      }
      assert.strictEqual((yield* change(administrator, { instance: { css: "x".repeat(2 ** 20) } })).status, 413)
    })
  )

  it.effect("are for administrators alone", () =>
    Effect.gen(function* () {
      const { moderator, owner } = yield* People
      for (const method of ["GET", "PUT", "DELETE"]) {
        assert.strictEqual((yield* send(path, { method })).status, 401)
        for (const token of [owner, moderator]) {
          assert.strictEqual((yield* send(path, { ...bearer(token), method })).status, 403)
        }
      }
    })
  )

  it.effect("leave an entry in the audit log with what they were before", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const audit = yield* AuditLists
      yield* change(administrator, { instance: { name: "Audited" } })
      const [entry] = yield* audit.list(undefined, undefined)
      assert.deepInclude(entry, {
        username: "root",
        domain: "settings",
        action: "update",
        before: { "instance.name": "Kinora" },
        after: { "instance.name": "Audited" }
      })
      yield* send(path, { ...bearer(administrator), method: "DELETE" })
    })
  )

  it.effect("that another version stored are passed over or left out, and the rest holds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const settings = yield* CustomSettings
      yield* sql`
        insert into custom_setting (path, value)
        values ('instance.of_the_future', '1'), ('transcoding.threads', '"many"'), ('instance.name', '"Stored"')`
      yield* settings.load
      const { json } = yield* send("/api/v1/config")
      assert.strictEqual(json.instance.name, "Stored")
      yield* sql`delete from custom_setting`
      yield* settings.load
      assert.strictEqual((yield* send("/api/v1/config")).json.instance.name, "Kinora")
    })
  )
})
