import { assert, layer } from "@effect/vitest"
import { imageSizes } from "@kinora/domain/enums/ImageSizes"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import sharp from "sharp"
import { deflateSync } from "node:zlib"
import { bearer, send } from "../../instance/about/Client.ts"
import { baseUrl, testNode } from "../../instance/about/TestNode.ts"
import { newUser } from "../me/Changes.ts"
import { formBody, formType, type Part } from "../../video/upload/Form.ts"
import { addVideo } from "../../video/list/Videos.ts"

const pick = "/api/v1/users/me/avatar/pick"

const sendParts = (token: string, parts: ReadonlyArray<Part>) =>
  send(pick, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": formType },
    body: new Uint8Array(formBody(parts))
  })

const sendPicture = (token: string, content: Buffer | string, filename = "me.png", type = "image/png") =>
  sendParts(token, [{ name: "avatarfile", filename, type, content }])

const made = (format: "png" | "jpeg" | "gif" | "webp", width: number, height: number, background: string) =>
  Effect.promise(() =>
    sharp({ create: { width, height, channels: 4, background } })
      .toFormat(format)
      .toBuffer()
  )

const read = async (url: string) => {
  const response = await fetch(url)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const fetched = (path: string) => Effect.flatMap(baseUrl, (base) => Effect.promise(() => read(base + path)))

const avatarsOf = Effect.fn("avatarsOf")(function* (token: string) {
  return (yield* send("/api/v1/users/me", bearer(token))).json.account.avatars as ReadonlyArray<{
    readonly path: string
    readonly fileUrl: string
    readonly width: number
  }>
})

/** Files of pictures that are stored. */
const stored = Effect.fn("stored")(function* (images: ReadonlyArray<{ readonly path: string }>) {
  const store = yield* ObjectStore
  const files = yield* Effect.forEach(images, ({ path }) =>
    Effect.option(store.stat({ bucket: "avatars", name: path.slice(path.lastIndexOf("/") + 1) }))
  )
  return files.filter(Option.isSome).length
})

const traces = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ images: number; intended: number }>`
    select (select count(*)::int from actor_image) as images,
      (select count(*)::int from object_removal where bucket = 'avatars') as intended`
  return rows[0]!
})

/** A PNG that says it is this large, all of it one colour: a few bytes that are gigabytes once decoded. */
const bomb = (width: number, height: number): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    let crc = ~0
    for (const byte of body) {
      crc ^= byte
      for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
    }
    out.writeInt32BE(~crc, body.length + 4)
    return out
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(Buffer.alloc(1024 * 1024))
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))])
}

layer(Removals.layer.pipe(Layer.provideMerge(testNode())), { excludeTestServices: true, timeout: 60_000 })(
  "Avatars",
  (it) => {
    it.effect("are made in every size from each format, and served for good", () =>
      Effect.gen(function* () {
        const token = yield* newUser("portrayed")
        for (const [format, width, height] of [
          ["png", 700, 300],
          ["jpeg", 30, 40],
          ["gif", 64, 64],
          ["webp", 2000, 1600]
        ] as const) {
          const answer = yield* sendPicture(token, yield* made(format, width, height, "#ff000080"), "../../me.svg")
          assert.strictEqual(answer.status, 200, `${format} ${answer.text}`)
          const { avatars } = answer.json
          assert.deepStrictEqual(
            avatars.map(({ height: h, width: w }: { height: number; width: number }) => ({ width: w, height: h })),
            imageSizes.avatar
          )
          assert.deepStrictEqual(avatars, yield* avatarsOf(token))
          for (const avatar of avatars) {
            assert.match(avatar.path, /^\/lazy-static\/avatars\/[0-9a-f-]{36}\.jpg$/)
            const { bytes, response } = yield* fetched(avatar.path)
            assert.strictEqual(response.status, 200)
            assert.strictEqual(response.headers.get("content-type"), "image/jpeg")
            assert.include(response.headers.get("cache-control") ?? "", "immutable")
            const read = yield* Effect.promise(() => sharp(bytes).metadata())
            assert.deepStrictEqual([read.format, read.width, read.height], ["jpeg", avatar.width, avatar.height])
          }
        }
        const { bytes } = yield* fetched((yield* avatarsOf(token))[3]!.path)
        const [red, green] = yield* Effect.promise(() => sharp(bytes).raw().toBuffer())
        // Half red over white.
        assert.isAbove(red!, 245)
        assert.approximately(green!, 127, 10)
      })
    )

    it.effect("replaced and removed, leave neither rows nor files, and lists of videos show it at once", () =>
      Effect.gen(function* () {
        const token = yield* newUser("changed")
        yield* addVideo({ owner: "changed" })
        const shown = Effect.gen(function* () {
          const { json } = yield* send("/api/v1/accounts/changed/videos")
          return json.data[0].account.avatars as ReadonlyArray<{ readonly path: string }>
        })
        assert.deepStrictEqual(yield* shown, [])
        const before = yield* traces
        const first = (yield* sendPicture(token, yield* made("png", 100, 100, "#00f"))).json.avatars
        assert.deepStrictEqual(yield* shown, first)
        const second = (yield* sendPicture(token, yield* made("png", 100, 100, "#0f0"))).json.avatars
        assert.deepStrictEqual(yield* shown, second)
        assert.deepStrictEqual((yield* send("/api/v1/accounts/changed")).json.avatars, second)
        assert.notDeepEqual(first, second)
        const sizes = imageSizes.avatar.length
        assert.deepStrictEqual(yield* traces, {
          images: before.images + sizes,
          intended: before.intended + sizes
        })
        const removals = yield* Removals
        yield* removals.execute(100)
        for (const { path } of first) assert.strictEqual((yield* fetched(path)).response.status, 404)
        for (const { path } of second) assert.strictEqual((yield* fetched(path)).response.status, 200)

        const remove = send("/api/v1/users/me/avatar", { ...bearer(token), method: "DELETE" })
        assert.strictEqual((yield* remove).status, 204)
        assert.deepStrictEqual([yield* shown, yield* avatarsOf(token)], [[], []])
        assert.strictEqual((yield* remove).status, 204)
        yield* removals.execute(100)
        assert.strictEqual(yield* stored(second), 0)
        assert.strictEqual((yield* traces).images, before.images)
      })
    )

    it.effect("of users who change their mind fast stay whole", () =>
      Effect.gen(function* () {
        const token = yield* newUser("hasty")
        const pictures = yield* Effect.all([made("png", 50, 50, "#111"), made("png", 50, 50, "#eee")])
        const answers = yield* Effect.forEach([...pictures, ...pictures], (picture) => sendPicture(token, picture), {
          concurrency: "unbounded"
        })
        for (const { status } of answers) assert.strictEqual(status, 200)
        const kept = yield* avatarsOf(token)
        assert.deepStrictEqual(
          kept.map(({ width }) => width),
          imageSizes.avatar.map(({ width }) => width)
        )
        assert.isTrue(answers.some(({ json }) => JSON.stringify(json.avatars) === JSON.stringify(kept)))
      })
    )

    it.effect("go with the user", () =>
      Effect.gen(function* () {
        const token = yield* newUser("passing")
        const { avatars } = (yield* sendPicture(token, yield* made("png", 20, 20, "#abc"))).json
        const before = yield* traces
        assert.strictEqual((yield* send("/api/v1/users/me", { ...bearer(token), method: "DELETE" })).status, 204)
        assert.strictEqual((yield* traces).images, before.images - imageSizes.avatar.length)
        yield* (yield* Removals).execute(100)
        for (const { path } of avatars) assert.strictEqual((yield* fetched(path)).response.status, 404)
      })
    )

    it.effect("that are none are refused, and nothing stays (UPL-11, UPL-12, UPL-17)", () =>
      Effect.gen(function* () {
        const token = yield* newUser("hostile")
        const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>`
        const png = yield* made("png", 20, 20, "#fff")
        const before = yield* traces
        const refused: ReadonlyArray<readonly [string, Buffer | string, string, string]> = [
          ["SVG", svg, "me.svg", "image/svg+xml"],
          ["SVG named PNG", svg, "me.png", "image/png"],
          ["SVG with a byte order mark", `\ufeff<?xml version="1.0"?>${svg}`, "me.jpg", "image/jpeg"],
          ["HTML", "<script>alert(1)</script>", "me.gif", "image/gif"],
          ["a page that begins as a GIF", "GIF89a=1;/*<script>*/", "me.gif", "image/gif"],
          ["PDF", "%PDF-1.7", "me.jpg", "image/jpeg"],
          ["TIFF", Buffer.from("49492a0008000000", "hex"), "me.png", "image/png"],
          ["half a PNG", png.subarray(0, 40), "me.png", "image/png"],
          ["a PNG of 65 535 × 65 535", bomb(65_535, 65_535), "me.png", "image/png"],
          ["a PNG of 2^31 - 1 × 1", bomb(2 ** 31 - 1, 1), "me.png", "image/png"],
          ["nothing", "", "me.png", "image/png"]
        ]
        for (const [what, content, filename, type] of refused) {
          const answer = yield* sendPicture(token, content, filename, type)
          assert.strictEqual(answer.status, 400, `${what}: ${answer.text}`)
          assert.hasAllKeys(answer.json["invalid-params"], ["avatarfile"], what)
        }
        const others: ReadonlyArray<ReadonlyArray<Part>> = [
          [],
          [{ name: "avatarfile", content: "text" }],
          [{ name: "file", filename: "me.png", type: "image/png", content: png }],
          [{ name: "bannerfile", filename: "me.png", type: "image/png", content: png }]
        ]
        for (const parts of others) {
          const answer = yield* sendParts(token, parts)
          assert.strictEqual(answer.status, 400)
          assert.hasAllKeys(answer.json["invalid-params"], ["avatarfile"])
        }
        const json = yield* send(pick, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: "{}"
        })
        assert.strictEqual(json.status, 415)
        assert.strictEqual((yield* send(pick, { method: "POST" })).status, 401)
        assert.deepStrictEqual([yield* traces, yield* avatarsOf(token)], [before, []])
      })
    )

    it.effect("that hide a program behind a picture come out as a picture only", () =>
      Effect.gen(function* () {
        const token = yield* newUser("polyglot")
        const png = yield* made("png", 20, 20, "#fff")
        const answer = yield* sendPicture(
          token,
          Buffer.concat([png, Buffer.from("<script>alert(1)</script>PK\u0003\u0004")])
        )
        assert.strictEqual(answer.status, 200, answer.text)
        for (const { path } of answer.json.avatars) {
          const { bytes, response } = yield* fetched(path)
          assert.isFalse(bytes.includes("script"))
          assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
        }
      })
    )

    it.effect("have at most 8 MiB", () =>
      Effect.gen(function* () {
        const token = yield* newUser("heavy")
        const png = yield* made("png", 20, 20, "#fff")
        const large = Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024 - png.length)])
        assert.strictEqual((yield* sendPicture(token, large)).status, 200)
        const larger = Buffer.concat([large, Buffer.alloc(1)])
        for (const parts of [
          [{ name: "avatarfile", filename: "me.png", content: larger }],
          [
            { name: "other", filename: "me.png", content: larger },
            { name: "another", filename: "me.png", content: larger }
          ]
        ]) {
          const answer = yield* sendParts(token, parts)
          assert.strictEqual(answer.status, 413, answer.text)
          assert.strictEqual(answer.headers.get("x-file-maximum-size"), String(8 * 1024 * 1024))
        }
      })
    )
  }
)
