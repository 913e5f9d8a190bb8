import { assert, layer } from "@effect/vitest"
import { imageSizes } from "@kinora/domain/enums/ImageSizes"
import { Effect } from "effect"
import sharp from "sharp"
import { send } from "../../instance/about/Client.ts"
import { formBody, formType, type Part } from "../../video/upload/Form.ts"
import { ask, Crew, crewNode, type Member, members, refused } from "./Crew.ts"

const channel = "/video-channels/owner_channel"

const pick = Effect.fnUntraced(function* (who: Member, path: string, parts: ReadonlyArray<Part>) {
  const token = (yield* Crew)[who]
  return yield* send(`/api/v1${path}/pick`, {
    method: "POST",
    headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), "content-type": formType },
    body: new Uint8Array(formBody(parts))
  })
})

const part = (name: string, content: Buffer | string): Part => ({ name, filename: "a.png", type: "image/png", content })

const png = Effect.promise(() =>
  sharp({ create: { width: 300, height: 90, channels: 3, background: "#642" } })
    .png()
    .toBuffer()
)

const kinds = [
  { path: `${channel}/avatar`, field: "avatarfile", type: "avatar", name: "avatars" },
  { path: `${channel}/banner`, field: "bannerfile", type: "banner", name: "banners" }
] as const

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Pictures of a channel", (it) => {
  it.effect("are set and removed by its people and moderators", () =>
    Effect.gen(function* () {
      const picture = yield* png
      const shown = (name: string) => Effect.map(ask("anonymous", "GET", channel), ({ json }) => json[name] as unknown)
      for (const { field, name, path, type } of kinds) {
        const statuses: Record<string, ReadonlyArray<number>> = {}
        for (const who of members) {
          const before = yield* shown(name)
          const set = yield* pick(who, path, [part(field, picture)])
          if (set.status === 200) {
            assert.deepStrictEqual(Object.keys(set.json), [name])
            assert.deepStrictEqual(
              set.json[name].map(({ height, width }: { height: number; width: number }) => ({ width, height })),
              imageSizes[type]
            )
            assert.deepStrictEqual(yield* shown(name), set.json[name])
            assert.strictEqual((yield* send(set.json[name][0].path)).status, 200)
          } else assert.deepStrictEqual(yield* shown(name), before)
          statuses[who] = [set.status, (yield* ask(who, "DELETE", path)).status]
          if (statuses[who][1] === 204) assert.deepStrictEqual(yield* shown(name), [])
        }
        assert.deepStrictEqual(statuses, {
          anonymous: [401, 401],
          stranger: [403, 403],
          helper: [200, 204],
          moderator: [200, 204],
          owner: [200, 204]
        })
      }
      const done = (yield* ask("owner", "GET", `${channel}/activities?count=100`)).json
      const updates = done.data.filter(
        ({ action, targetType }: { action: { id: number }; targetType: { id: number } }) =>
          action.id === 2 && targetType.id === 3
      )
      // Set and removed by three people, twice.
      assert.strictEqual(updates.length, 12)
      assert.strictEqual((yield* ask("owner", "DELETE", `${channel}/avatar`)).status, 204)
      assert.strictEqual((yield* ask("owner", "GET", `${channel}/activities`)).json.total, done.total)
      assert.strictEqual((yield* pick("owner", "/video-channels/nobody/avatar", [])).status, 404)
      assert.strictEqual((yield* ask("owner", "DELETE", "/video-channels/nobody/banner")).status, 404)
    })
  )

  it.effect("are refused when they are none, or too large", () =>
    Effect.gen(function* () {
      for (const { field, path } of kinds) {
        assert.deepStrictEqual(refused(yield* pick("owner", path, [])), [field])
        assert.deepStrictEqual(refused(yield* pick("owner", path, [part("other", yield* png)])), [field])
        assert.deepStrictEqual(refused(yield* pick("owner", path, [part(field, "<svg/>")])), [field])
        const large = yield* pick("owner", path, [part(field, Buffer.alloc(9 * 1024 * 1024))])
        assert.strictEqual(large.status, 413)
        assert.strictEqual(large.headers.get("x-file-maximum-size"), String(8 * 1024 * 1024))
        assert.strictEqual((yield* ask("owner", "POST", `${path}/pick`, {})).status, 415)
      }
    })
  )
})
