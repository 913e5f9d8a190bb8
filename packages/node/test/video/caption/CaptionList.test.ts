import { assert, layer } from "@effect/vitest"
import { VideoCaptionList } from "@kinora/domain/wire/VideoAnswers"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People, peopledNode } from "../list/People.ts"
import { addVideo } from "../list/Videos.ts"

const decode = Schema.decodeUnknownEffect(VideoCaptionList)

layer(peopledNode, { excludeTestServices: true })("Captions of videos", (it) => {
  it.effect("are listed by language in the contract's shape", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const tokens = yield* People
      const video = yield* addVideo({ owner: "owner", privacy: 3 })
      yield* sql`
        insert into video_caption (video_id, language, filename, playlist_filename, automatically_generated)
        values (${video.id}, 'de', ${`${video.token}-de.vtt`}, ${`${video.token}-de.m3u8`}, true)`
      const { json } = yield* send(`/api/v1/videos/${video.uuid}/captions`, bearer(tokens.owner))
      const { data, total } = yield* decode(json)
      assert.strictEqual(total, 2)
      const [german, english] = data
      const { captionPath, fileUrl, updatedAt: _, ...rest } = german!
      // The address of a private video opens by a token of who reads it.
      const [path, token] = captionPath.split("?")
      assert.match(token ?? "", /^videoFileToken=\S+$/)
      const origin = "http://localhost:9000"
      assert.deepStrictEqual(rest, {
        language: { id: "de", label: "German" },
        automaticallyGenerated: true,
        m3u8Url: `${origin}/static/streaming-playlists/hls/private/${video.uuid}/${video.token}-de.m3u8`
      })
      assert.strictEqual(path, `/lazy-static/video-captions/${video.token}-de.vtt`)
      assert.strictEqual(fileUrl, `${origin}${captionPath}`)
      assert.deepInclude(english!, { language: { id: "en", label: "English" }, m3u8Url: null })
    })
  )

  it.effect("none are an empty list", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      yield* sql`delete from video_caption where video_id = ${video.id}`
      const { json, status } = yield* send(`/api/v1/videos/${video.uuid}/captions`)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, { total: 0, data: [] })
    })
  )
})
