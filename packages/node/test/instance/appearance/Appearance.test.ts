import { assert, layer } from "@effect/vitest"
import { imageSizes } from "@kinora/domain/enums/ImageSizes"
import { logoSizes, logoTypes } from "@kinora/domain/enums/LogoType"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { existsSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"
import { bearer, send } from "../about/Client.ts"
import { baseUrl } from "../about/TestNode.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { formBody, formType } from "../../video/upload/Form.ts"

const pick = (token: string, path: string, field: string, content: Buffer | string) =>
  send(`/api/v1/config/${path}/pick`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": formType },
    body: new Uint8Array(formBody([{ name: field, filename: "a.png", type: "image/png", content }]))
  })

const drop = (token: string, path: string) => send(`/api/v1/config/${path}`, { ...bearer(token), method: "DELETE" })

/** Half of it is transparent. */
const png = Effect.promise(() =>
  sharp({ create: { width: 300, height: 100, channels: 4, background: "#64208080" } })
    .png()
    .toBuffer()
)

const metadataOf = async (url: string) => sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata()

const instance = Effect.map(send("/api/v1/config"), ({ json }) => json.instance)

layer(Removals.layer.pipe(Layer.provideMerge(peopledNode)), { excludeTestServices: true, timeout: 60_000 })(
  "pictures of the instance",
  (it) => {
    it.effect("avatar and banner are shown by the configuration and by its actor, until they are removed", () =>
      Effect.gen(function* () {
        const { administrator } = yield* People
        for (const [path, type, name] of [
          ["instance-avatar", "avatar", "avatars"],
          ["instance-banner", "banner", "banners"]
        ] as const) {
          assert.strictEqual((yield* pick(administrator, path, `${type}file`, yield* png)).status, 204)
          const shown = (yield* instance)[name]
          assert.deepStrictEqual(
            shown.map(({ height, width }: { height: number; width: number }) => ({ width, height })),
            imageSizes[type]
          )
          assert.deepStrictEqual((yield* send("/api/v1/config/about")).json.instance[name], shown)
          assert.strictEqual((yield* send(shown[0].path)).status, 200)
          assert.strictEqual((yield* drop(administrator, path)).status, 204)
          assert.deepStrictEqual((yield* instance)[name], [])
          assert.strictEqual((yield* drop(administrator, path)).status, 204)
        }
      })
    )

    it.effect("logos of each kind replace the program's, keep what is transparent, and leave no file behind", () =>
      Effect.gen(function* () {
        const { administrator } = yield* People
        const sql = yield* SqlClient
        const base = yield* baseUrl
        const fallback = (yield* instance).logo
        assert.deepStrictEqual(
          fallback.map(({ isFallback, type }: { isFallback: boolean; type: string }) => [type, isFallback]),
          logoTypes.map((type) => [type, true])
        )
        for (const { fileUrl } of fallback) {
          const icon = /^\/client\/icons\/([\w.-]+)$/.exec(new URL(fileUrl).pathname)?.[1] ?? ""
          assert.isTrue(existsSync(join(import.meta.dirname, "../../../../web/public/icons", icon)), fileUrl)
        }
        for (const type of logoTypes) {
          // The second one replaces the first.
          for (let n = 0; n < 2; n++) {
            assert.strictEqual(
              (yield* pick(administrator, `instance-logo/${type}`, "logofile", yield* png)).status,
              204,
              type
            )
          }
          const [shown] = (yield* instance).logo.filter((it: { type: string }) => it.type === type)
          const { height, width } = logoSizes[type]
          assert.deepInclude(shown, { width: width ?? 144, height, isFallback: false })
          const made = yield* Effect.promise(() => metadataOf(base + new URL(shown.fileUrl).pathname))
          assert.deepInclude(made, { width: width ?? 144, height, hasAlpha: type !== "opengraph" })
        }
        for (const type of logoTypes)
          assert.strictEqual((yield* drop(administrator, `instance-logo/${type}`)).status, 204)
        assert.deepStrictEqual((yield* instance).logo, fallback)
        const removals = yield* Removals
        while ((yield* removals.execute(100)) > 0);
        assert.deepStrictEqual(yield* sql`select name from object_removal where bucket = 'uploads'`, [])
      })
    )

    it.effect("are refused when they are none, too large, of no kind, or somebody else's to choose", () =>
      Effect.gen(function* () {
        const { administrator, moderator, owner } = yield* People
        const svg = yield* pick(
          administrator,
          "instance-logo/favicon",
          "logofile",
          `<svg xmlns="http://www.w3.org/2000/svg"/>`
        )
        assert.strictEqual(svg.status, 400)
        assert.hasAllKeys(svg.json["invalid-params"], ["logofile"])
        const large = yield* pick(administrator, "instance-logo/favicon", "logofile", Buffer.alloc(9 * 1024 * 1024))
        assert.strictEqual(large.status, 413)
        assert.strictEqual(large.headers.get("x-file-maximum-size"), String(8 * 1024 * 1024))
        assert.strictEqual((yield* pick(administrator, "instance-logo/other", "logofile", yield* png)).status, 400)
        assert.strictEqual((yield* drop(administrator, "instance-logo/other")).status, 400)
        for (const path of ["instance-avatar", "instance-banner", "instance-logo/favicon"]) {
          assert.strictEqual((yield* send(`/api/v1/config/${path}/pick`, { method: "POST" })).status, 401)
          for (const token of [moderator, owner]) {
            assert.strictEqual((yield* pick(token, path, "logofile", yield* png)).status, 403)
            assert.strictEqual((yield* drop(token, path)).status, 403)
          }
        }
      })
    )
  }
)
