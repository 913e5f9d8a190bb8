import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import sharp from "sharp"
import { send } from "../../instance/about/Client.ts"
import { ask } from "../../people/channel/Crew.ts"
import { plainClip } from "../upload/Clips.ts"
import { begin, importNode, lyingAbout, site, workOff } from "./ImportNode.ts"

/** A page that describes its video in the words of schema.org. */
const page = (base: string, picture: string): string => {
  const clip = (name: string, startOffset: number, endOffset: number) => ({
    "@type": "Clip",
    name,
    startOffset,
    endOffset,
    url: `${base}/page?t=${startOffset}`
  })
  const described = {
    "@context": "https://schema.org",
    "@type": "VideoObject",
    name: "A film of\u0007 theirs",
    description: "What they say",
    contentUrl: `${base}/film.mp4`,
    thumbnailUrl: picture,
    uploadDate: "2020-05-04T03:02:01Z",
    keywords: "tea,  two  words,x",
    inLanguage: "de",
    hasPart: [clip("Begin", 0, 1), clip("Middle", 1, 2), clip("Past the end", 500, 600)]
  }
  const json = JSON.stringify(described)
  return `<!doctype html><html><head><title>A page</title><script type="application/ld+json">${json}</script></head></html>`
}

layer(importNode(), { excludeTestServices: true, timeout: 90_000 })("importing the video of a page", (it) => {
  const serving = Effect.fnUntraced(function* (pictureOf: (base: string) => string) {
    const red = yield* Effect.promise(() =>
      sharp({ create: { width: 1280, height: 720, channels: 3, background: "#f00" } })
        .jpeg()
        .toBuffer()
    )
    const asked: Array<string> = []
    const listener: RequestListener = (request, response) => {
      const { pathname } = new URL(request.url ?? "", "http://a")
      asked.push(pathname)
      if (pathname === "/film.mp4") {
        const film = readFileSync(plainClip())
        return response.writeHead(200, { "content-type": "video/mp4", "content-length": film.length }).end(film)
      }
      if (pathname === "/red.jpg") return response.writeHead(200, { "content-type": "image/jpeg" }).end(red)
      if (pathname === "/inside.jpg") return response.writeHead(302, { location: "https://10.0.0.1/red.jpg" }).end()
      if (pathname !== "/page") return response.writeHead(404).end()
      return response.writeHead(200, { "content-type": "text/html" }).end(page(host.url(""), pictureOf(host.url(""))))
    }
    const host = yield* site(listener)
    const { json, status, text } = yield* begin({ targetUrl: host.url("/page") })
    assert.strictEqual(status, 200, text)
    const { error, state, videoId } = yield* workOff(json.id)
    assert.deepStrictEqual({ error, state }, { error: null, state: 2 })
    assert.deepStrictEqual(yield* lyingAbout, [])
    return { asked, uuid: json.video.uuid as string, videoId }
  })

  it.effect(
    "takes over its name, text, tags, date, chapters and picture",
    () =>
      Effect.gen(function* () {
        const { uuid } = yield* serving((base) => `${base}/red.jpg`)
        const { json } = yield* ask("owner", "GET", `/videos/${uuid}`)
        assert.deepInclude(json, {
          name: "A film of theirs",
          description: "What they say",
          originallyPublishedAt: "2020-05-04T03:02:01.000Z"
        })
        assert.sameMembers(json.tags, ["tea", "two words"])
        const { json: chapters } = yield* ask("owner", "GET", `/videos/${uuid}/chapters`)
        assert.deepStrictEqual(chapters.chapters, [
          { timecode: 0, title: "Begin" },
          { timecode: 1, title: "Middle" }
        ])
        const picture = yield* send(json.previewPath)
        assert.strictEqual(picture.status, 200)
      }),
    120_000
  )

  it.effect(
    "follows a picture of the page to nowhere it must not go",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { asked, videoId } = yield* serving((base) => `${base}/inside.jpg`)
        assert.include(asked, "/inside.jpg")
        assert.lengthOf(yield* sql`select 1 from thumbnail where video_id = ${videoId}`, 0)
      }),
    120_000
  )
})
