import { assert, layer } from "@effect/vitest"
import { Account } from "@kinora/domain/wire/Account"
import { Video, VideoDetails } from "@kinora/domain/wire/Video"
import { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeActorTexts } from "../../../src/people/actor/ActorTexts.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { countMembers } from "../../../src/video/read/VideoJson.ts"
import { makeVideoTexts } from "../../../src/video/read/VideoTexts.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const strict = { onExcessProperty: "error" } as const
const decodeVideo = Schema.decodeUnknownEffect(Schema.fromJsonString(Video), strict)
const decodeDetails = Schema.decodeUnknownEffect(Schema.fromJsonString(VideoDetails), strict)
const decodeActor = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Union([VideoChannel, Account])))
const counts = countMembers({ views: 1, viewers: 2, likes: 3, dislikes: 4, comments: 5, downloads: 6 })

/** Rows of every kind there may be: with and without what may be missing, of this instance and of others. */
const oddities: ReadonlyArray<string> = [
  `insert into server (host, redundancy_allowed) values ('far.example', true)`,
  `update actor set server_id = 1, private_key = null, remote_created_at = now() where id % 3 = 0`,
  `insert into actor_image (actor_id, type, filename, width, height)
   select id, 1 + n % 2, id || '-' || n, 48 * n, 48 from actor, generate_series(1, 4) n where id % 4 <> 0`,
  `update account set description = null, display_name = E'q"\\\\ é' where id % 2 = 0`,
  `update video set remote = id % 3 = 0, privacy = 1 + id % 5, state = 1 + id % 12, category = nullif(id % 20, 0),
     language = (array['en', 'zh-Hans', 'xx', null])[1 + id % 4], nsfw_summary = case when id % 4 = 0 then 'a "b"' end,
     description = (array[null, repeat('😀é', 130), repeat('a', 250), repeat('b😀', 125), repeat('c"', 200)])[1 + id % 5],
     aspect_ratio = nullif(id % 3, 0) * 0.88888, input_file_updated_at = case when id % 2 = 0 then now() end,
     name = name || (array[' & plus + ''x''', '(y)!*~', ' Straße 東京', '/a:b'])[1 + id % 4]`,
  `insert into remote_video (video_id, tracker_urls)
   select id, case when id % 2 = 0 then array['https://t.example/a?b=1'] else '{}' end from video where remote`,
  `insert into thumbnail (video_id, type, filename, width, height, remote_url)
   select id, 1 + n % 2, id || '--' || n, 100 * n, (array[100, 80, 0])[1 + (id + n) % 3],
     case when id % 3 = 0 then 'https://far.example/' || n end
   from video, generate_series(1, 3) n where id % 4 = 1`,
  `update video_file set torrent_filename = null where id % 5 = 0`,
  `update video_file set info_hash = null where id % 7 = 0`,
  `update video_file set width = null, fps = 29.97, size = 5000000000 where id % 4 = 0`,
  `update video_file set extname = (array['mp4', '.webm'])[1 + id % 2], storage = id % 2,
     resolution = case when id % 11 = 0 then 0 else resolution end`,
  `update streaming_playlist set segments_sha256_filename = null where id % 3 = 0`,
  `insert into video_schedule_update (video_id, update_at, privacy) select id, now(), nullif(id % 4, 0) from video where id % 5 = 0`,
  `insert into video_blacklist (video_id, reason) select id, nullif('bad', 'bad') from video where id % 7 = 0`
]

layer(TestDatabase)("texts of videos and actors", (it) => {
  it.effect("have the contract's shape, whatever the rows lack", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* prepareReadModels("https://videos.example")
      const { videoIds } = yield* seedVideos({ videos: 120, accounts: 6, files: 3 })
      for (const statement of oddities) yield* sql.unsafe(statement)

      const actorIds = (yield* sql<{ id: number }>`
        select actor_id as id from account union all select actor_id from video_channel`).map(({ id }) => id)
      const actors = yield* makeActorTexts(sql, actorIds)
      assert.strictEqual(actors.size, actorIds.length)
      for (const text of actors.values()) yield* decodeActor(text)

      const texts = yield* makeVideoTexts(sql, videoIds)
      assert.strictEqual(texts.length, videoIds.length)
      const [account, channel] = [actors.get(actorIds[0]!), actors.get(actorIds.at(-1)!)]
      for (const { details, id, summary } of texts) {
        const video = yield* decodeVideo(`${summary}${counts}}`)
        assert.strictEqual(video.id, id)
        if (video.description !== null) assert.isAtMost([...video.description].length, 250)
        const full = yield* decodeDetails(`${details}${counts},"account":${account},"channel":${channel}}`)
        for (const { magnetUri, torrentUrl } of full.files) {
          if (torrentUrl === null) assert.isNull(magnetUri)
          if (magnetUri === null) continue
          const magnet = new URLSearchParams(magnetUri.slice("magnet:?".length))
          assert.strictEqual(magnet.get("dn"), full.name)
          assert.strictEqual(magnet.get("xs"), torrentUrl)
        }
      }
    })
  )
})
