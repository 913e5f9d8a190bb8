import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { OEmbed } from "@kinora/domain/wire/Discovery"
import { Effect, Layer, Schema } from "effect"
import { get } from "./support/Fetch.ts"
import { PagesServer } from "./support/PagesServer.ts"
import { makeVideo } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(OEmbed))

const oembed = (query: Record<string, string>) => get(`/services/oembed?${new URLSearchParams(query)}`)

layer(PagesServer.pipe(Layer.provideMerge(NodeHttpClient.layerUndici)))("oEmbed", (it) => {
  it.effect("answers for a public video by every address it has", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const thumbnails = [{ fileUrl: `${origin}/t.jpg`, width: 850, height: 480, aspectRatio: "16:9" }]
      const video = add(makeVideo(origin, 1, { name: 'A "quoted" <title>', thumbnails }))
      for (const path of [
        `/w/${video.shortUUID}`,
        `/videos/watch/${video.uuid}`,
        `/videos/embed/${video.uuid}`,
        `/w/${video.uuid}/`
      ]) {
        const { headers, status, text } = yield* oembed({ url: origin + path })
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers["content-type"], "application/json; charset=utf-8")
        assert.strictEqual(headers["access-control-allow-origin"], "*")
        const answer = decode(text)
        assert.deepInclude(answer, {
          type: "video",
          version: "1.0",
          width: 560,
          height: 315,
          title: 'A "quoted" <title>',
          author_name: "Administrator",
          provider_url: origin,
          thumbnail_url: `${origin}/t.jpg`
        })
        assert.include(answer.html, 'title="A &quot;quoted&quot; &lt;title&gt;"')
        assert.include(answer.html, `src="${origin}/videos/embed/${video.uuid}"`)
      }
    })
  )

  it.effect("keeps within the asked size and leaves out a picture that is larger", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const thumbnails = [{ fileUrl: `${origin}/t.jpg`, width: 850, height: 480, aspectRatio: "16:9" }]
      const video = add(makeVideo(origin, 2, { thumbnails }))
      const url = `${origin}/w/${video.shortUUID}?start=90`
      const answer = decode((yield* oembed({ url, maxwidth: "280", maxheight: "1000" })).text)
      assert.deepInclude(answer, { width: 280, height: 157 })
      assert.isUndefined(answer.thumbnail_url)
      assert.include(answer.html, 'width="280" height="157"')
      assert.include(answer.html, "?start=90s")
    })
  )

  it.effect("names every wrong field, and refuses other addresses than ours (WEB-06)", () =>
    Effect.gen(function* () {
      const { origin } = yield* World
      const host = new URL(origin).host
      const wrong = [
        "",
        "https://evil.example/w/9qYUbqMAVfZLBgXGyYTRNE",
        `//${host}/w/1`,
        `${origin}@evil.example/w/1`,
        `http://user:pass@${host}/w/1`,
        `javascript://${host}/w/1`,
        `${origin}.evil.example/w/1`,
        `${origin}/w/`,
        `${origin}/w/../api/v1/videos/1`,
        `${origin}/w/not-an-id`,
        `${origin}/w/${"1".repeat(3000)}`
      ]
      for (const url of wrong) {
        const { status, text } = yield* oembed({ url })
        assert.strictEqual(status, 400, url)
        assert.deepInclude(JSON.parse(text), { detail: "Incorrect request parameters: url", status: 400 })
      }
      const many = yield* oembed({ maxwidth: "-1", maxheight: "1e9", format: "yaml" })
      assert.strictEqual(many.status, 400)
      assert.strictEqual(JSON.parse(many.text).detail, "Incorrect request parameters: url, maxwidth, maxheight, format")
      const twice = yield* get(`/services/oembed?url=${encodeURIComponent(`${origin}/w/1`)}&url=x`)
      assert.strictEqual(twice.status, 400)
    })
  )

  it.effect("says nothing of videos that are not public", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      add(makeVideo(origin, 3, { privacy: 3 }))
      add(makeVideo(origin, 4, { privacy: 4 }))
      add(makeVideo(origin, 5, { privacy: 5, name: "SECRET" }))
      const unlisted = add(makeVideo(origin, 6, { privacy: 2 }))
      const unpublished = add(makeVideo(origin, 8, { state: 2 }))
      const statuses = yield* Effect.forEach([3, 4, 5, 6, unlisted.uuid, 8, unpublished.uuid, 999], (id) =>
        Effect.map(oembed({ url: `${origin}/w/${id}` }), (it) => it.status)
      )
      assert.deepStrictEqual(statuses, [404, 404, 403, 404, 200, 404, 404, 404])
      assert.notInclude((yield* oembed({ url: `${origin}/w/5` })).text, "SECRET")
    })
  )

  it.effect("does not write XML", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      add(makeVideo(origin, 7))
      assert.strictEqual((yield* oembed({ url: `${origin}/w/7`, format: "xml" })).status, 501)
    })
  )
})
