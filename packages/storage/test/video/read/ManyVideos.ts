import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { countKinds } from "../../support/CountKinds.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"

const servers = 40
const accounts = 400
const tags = 500

/** Triggers are off while these are written: what they derive is written too. */
const rows = (videos: number) => [
  `insert into server (host) select 'tube' || n || '.example' from generate_series(1, ${servers}) n`,
  `insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
   select kind, name, 1 + n % ${servers}, 'https://tube.example/' || name, 'https://tube.example/inbox', 'public'
   from generate_series(1, ${accounts}) n, lateral (values ('Person', 'person' || n), ('Group', 'channel' || n)) a (kind, name)`,
  `insert into account (actor_id, display_name) select id, preferred_username from actor where type = 'Person' order by id`,
  `insert into video_channel (actor_id, account_id, display_name)
   select g.id, c.id, g.preferred_username from actor g
   join actor p on p.preferred_username = replace(g.preferred_username::text, 'channel', 'person') join account c on c.actor_id = p.id
   where g.type = 'Group' order by g.id`,
  `insert into actor_read_model (actor_id, text) select id, '{"id":' || id || '}' from actor`,
  `insert into video (channel_id, account_id, remote, server_id, url, name, category, licence, language, privacy, state, nsfw, description,
     duration, aspect_ratio, views, likes, comments, published_at, created_at, originally_published_at, listed, visible, has_hls,
     trend_views, hot_score)
   select c.id, c.account_id, true, p.server_id, 'https://tube.example/videos/' || n, 'Video ' || md5(n::text), 1 + n % 18, 1 + n % 7,
     (array['en', 'en', 'fr', 'de', null])[1 + n % 5], 1, 1, n % 25 = 0, 'Something to see', n % 3000, 1.7778, n * 7919 % 100000,
     n * 31 % 1000, n % 40, moment, moment, moment - interval '1 year', true, 2, n % 20 > 0, greatest(0, n * 17 % 300 - 200),
     video_hotness(n * 7919 % 100000, n * 31 % 1000, n % 40, moment)
   from generate_series(1, ${videos}) n join video_channel c on c.id = 1 + (n::bigint * n % ${accounts})::int join account a on a.id = c.account_id
     join actor p on p.id = a.actor_id, lateral (select now() - (${videos} - n) * interval '1 minute' as moment) t
   order by n`,
  `insert into thumbnail (video_id, type, filename, width, height) select id, t, uuid || '-' || t, 280, 157 from video, generate_series(1, 2) t`,
  `insert into video_read_model (video_id, summary, details) select id, '{"id":' || id || '}', '"id":' || id from video`,
  `insert into streaming_playlist (video_id, playlist_url) select id, url || '/master.m3u8' from video where has_hls`,
  `insert into tag (name) select 'tag' || n from generate_series(1, ${tags}) n`,
  `insert into video_tag (video_id, tag_id) select id, 1 + floor(${tags} * (id * 97 % 1000 / 1000.0) ^ 3)::int from video`,
  `insert into video_total (visible, nsfw, remote, change) select visible, nsfw, remote, count(*) from video group by 1, 2, 3`,
  `insert into owner_total select account_id, server_id, visible, nsfw, remote, count(*) from video group by 1, 2, 3, 4, 5`,
  countKinds,
  `insert into video_document (id, account_id, channel_id, server_id, duration, nsfw_flags, score, published_at,
     originally_published_at, category, licence, privacy, state, visible, nsfw, remote, is_live, language, document)
   select id, account_id, channel_id, server_id, duration, nsfw_flags, 0, published_at, originally_published_at, category, licence,
     privacy, state, visible, nsfw, remote, is_live, language, to_tsvector('simple', name) from video`
]

/** Fills an empty database with published videos of other instances, set by set, and gathers its statistics. */
export const manyVideos = Effect.fn("manyVideos")(function* (videos: number) {
  const sql = yield* SqlClient
  yield* prepareReadModels("https://videos.example")
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe("set local session_replication_role = replica")
      for (const row of rows(videos)) yield* sql.unsafe(row)
    })
  )
  yield* sql.unsafe("vacuum analyze")
})
