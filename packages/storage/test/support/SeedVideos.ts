import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

export interface Seed {
  readonly videos: number
  /** Accounts that share the videos, one channel each. Default 10. */
  readonly accounts?: number | undefined
  /** Renditions of each of the two kinds. Default 4. */
  readonly files?: number | undefined
}

export interface Seeded {
  readonly accountIds: ReadonlyArray<number>
  /** In the order of publication, oldest first. */
  readonly videoIds: ReadonlyArray<number>
  readonly uuids: ReadonlyArray<string>
}

const accounts = (count: number) => `
  with users as (
    insert into app_user (username, email, password_hash, role)
    select 'seed' || n, 'seed' || n || '@example.test', 'none', 2 from generate_series(1, ${count}) n
    returning id, username
  ), actors as (
    insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
    select kind, name, 'http://localhost:9000/' || path || '/' || name, 'http://localhost:9000/' || path || '/' || name || '/inbox',
      'public', 'private'
    from (
      select 'Person' as kind, username as name, 'accounts' as path from users
      union all select 'Group', username || '_channel', 'video-channels' from users
    ) a
    returning id, preferred_username, type
  ), made as (
    insert into account (actor_id, user_id, display_name, description)
    select a.id, u.id, 'Seed ' || u.username, 'Made for tests'
    from actors a join users u on u.username = a.preferred_username
    order by u.id
    returning id, display_name
  ), channels as (
    insert into video_channel (actor_id, account_id, display_name)
    select a.id, m.id, 'Channel of ' || m.display_name
    from actors a join made m on 'Seed ' || replace(a.preferred_username::text, '_channel', '') = m.display_name
    where a.type = 'Group'
    returning id, account_id
  )
  select account_id as "accountId", id as "channelId" from channels order by account_id`

const videos = (count: number) => `
  with owners as (
    select id as channel_id, account_id, row_number() over (order by id) - 1 as n, count(*) over () as total
    from video_channel
  )
  insert into video (channel_id, account_id, url, name, category, licence, language, privacy, state, description, duration,
    aspect_ratio, views, likes, published_at, created_at)
  select o.channel_id, o.account_id, 'http://localhost:9000/videos/watch/seed-' || v.n, 'Seeded video number ' || v.n,
    1 + v.n % 18, 1 + v.n % 7, (array['en', 'fr', 'de', null])[1 + v.n % 4], 1, 1,
    'What one can see in video ' || v.n || ', told in a few words.', 60 + v.n % 600, 1.7778, (v.n * 7919) % 10000, v.n % 100,
    now() - (${count} - v.n) * interval '1 minute', now() - (${count} - v.n) * interval '1 minute'
  from generate_series(1, ${count}) as v (n) join owners o on o.n = v.n % o.total
  order by v.n
  returning id, uuid`

const parts = (files: number) => [
  `insert into thumbnail (video_id, type, filename, width, height)
   select id, t, uuid || '-' || t || '.jpg', case t when 1 then 280 else 850 end, case t when 1 then 157 else 480 end
   from video, generate_series(1, 2) t`,
  `insert into streaming_playlist (video_id, playlist_filename, segments_sha256_filename)
   select id, uuid || '-master.m3u8', uuid || '-segments.json' from video`,
  `insert into video_file (video_id, resolution, width, height, fps, size, extname, filename, torrent_filename, info_hash,
     has_audio, has_video)
   select v.id, r.height, r.height * 16 / 9, r.height, 25, 1000000 * r.height, '.mp4', v.uuid || '-' || r.height || '.mp4',
     v.uuid || '-' || r.height || '.torrent', md5(v.id || '-' || r.height) || '01234567', true, true
   from video v, unnest((array[1080, 720, 480, 360, 240, 144])[1:${files}]) r (height)`,
  `insert into video_file (streaming_playlist_id, resolution, width, height, fps, size, extname, filename,
     playlist_filename, torrent_filename, info_hash, has_audio, has_video)
   select s.id, r.height, r.height * 16 / 9, r.height, 25, 1000000 * r.height, '.mp4',
     v.uuid || '-' || r.height || '-fragmented.mp4', v.uuid || '-' || r.height || '.m3u8', v.uuid || '-' || r.height || '-hls.torrent',
     md5(v.id || '-hls-' || r.height) || '01234567', true, true
   from streaming_playlist s join video v on v.id = s.video_id,
     unnest((array[1080, 720, 480, 360, 240, 144])[1:${files}]) r (height)`,
  "insert into tag (name) values ('seeded'), ('first') on conflict do nothing",
  "insert into video_tag (video_id, tag_id) select v.id, t.id from video v, tag t where t.name = 'seeded'"
]

/** Fills an empty database with published public videos of local accounts, their pictures, files and tags. */
export const seedVideos = Effect.fn("seedVideos")(function* (seed: Seed) {
  const sql = yield* SqlClient
  const owners = yield* sql.unsafe<{ accountId: number }>(accounts(seed.accounts ?? 10))
  const made = yield* sql.unsafe<{ id: number; uuid: string }>(videos(seed.videos))
  for (const part of parts(seed.files ?? 4)) yield* sql.unsafe(part)
  yield* sql.unsafe("analyze")
  return {
    accountIds: owners.map((owner) => owner.accountId),
    videoIds: made.map((video) => video.id),
    uuids: made.map((video) => video.uuid)
  } satisfies Seeded
})
