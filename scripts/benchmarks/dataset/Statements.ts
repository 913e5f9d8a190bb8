import { countKinds } from "../../../packages/storage/test/support/CountKinds.ts"
import type { Size } from "./Size.ts"

/** Parts of videos, as other instances tell them and as ours are published. Triggers are off: nothing is derived here. */
export const videoParts: ReadonlyArray<string> = [
  `insert into thumbnail (video_id, type, filename, width, height, automatically_generated, remote_url)
   select v.id, t.type, v.uuid || '-' || t.type || '.jpg', t.width, t.height, true,
     case when v.remote then substr(v.url, 1, strpos(v.url, '/videos/')) || 'lazy-static/thumbnails/' || v.uuid || '-' || t.type || '.jpg' end
   from video v, (values (1, 280, 157), (2, 850, 480)) t (type, width, height)`,
  `insert into streaming_playlist (video_id, playlist_filename, playlist_url, segments_sha256_filename, segments_sha256_url)
   select id, case when not remote then uuid || '-master.m3u8' end,
     case when remote then substr(url, 1, strpos(url, '/videos/')) || 'static/hls/' || uuid || '/master.m3u8' end,
     case when not remote then uuid || '-segments.json' end,
     case when remote then substr(url, 1, strpos(url, '/videos/')) || 'static/hls/' || uuid || '/segments.json' end
   from video where not is_live and id % 20 > 0`,
  `insert into video_file (streaming_playlist_id, resolution, width, height, fps, size, extname, filename, playlist_filename,
     torrent_filename, file_url, playlist_url, metadata_url, info_hash, has_audio, has_video)
   select s.id, r.height, r.height * 16 / 9, r.height, 25, v.duration::bigint * r.height * 200, '.mp4',
     case when not v.remote then v.uuid || '-' || r.height || '-fragmented.mp4' end,
     case when not v.remote then v.uuid || '-' || r.height || '.m3u8' end,
     case when not v.remote then v.uuid || '-' || r.height || '-hls.torrent' end,
     case when v.remote then substr(v.url, 1, strpos(v.url, '/videos/')) || 'static/hls/' || v.uuid || '-' || r.height || '.mp4' end,
     case when v.remote then substr(v.url, 1, strpos(v.url, '/videos/')) || 'static/hls/' || v.uuid || '-' || r.height || '.m3u8' end,
     case when v.remote then substr(v.url, 1, strpos(v.url, '/videos/')) || 'api/v1/videos/' || v.uuid || '/metadata/1' end,
     md5(v.id || '-hls-' || r.height) || '01234567', true, true
   from streaming_playlist s join video v on v.id = s.video_id,
     (values (1080, 1), (720, 2), (480, 3), (360, 4)) r (height, n)
   where case when v.remote then r.n between 2 and 2 + v.id % 3 else true end`,
  `insert into video_file (video_id, resolution, width, height, fps, size, extname, filename, torrent_filename, file_url,
     info_hash, has_audio, has_video)
   select v.id, 720, 1280, 720, 25, v.duration::bigint * 150000, '.mp4',
     case when not v.remote then v.uuid || '-720.mp4' end, case when not v.remote then v.uuid || '-720.torrent' end,
     case when v.remote then substr(v.url, 1, strpos(v.url, '/videos/')) || 'static/web-videos/' || v.uuid || '-720.mp4' end,
     md5(v.id || '-720') || '01234567', true, true
   from video v where not v.is_live and (v.id % 20 = 0 or v.id % 7 = 0)`,
  `insert into video_caption (video_id, language, filename)
   select id, coalesce(language, 'en'), uuid || '-caption.vtt' from video where id % 50 = 0`,
  `insert into video_blacklist (video_id, reason)
   select id, 'Not wanted here' from video where id % 2000 = 7`
]

/** What triggers and periodic tasks derive from those rows. */
export const derived: ReadonlyArray<string> = [
  `update video v set listed = false, visible = 0 from video_blacklist b where b.video_id = v.id`,
  // Floating point of two languages may differ in the last digit.
  `update video set hot_score = video_hotness(views, likes, comments, published_at)
   where hot_score <> video_hotness(views, likes, comments, published_at)`,
  // Whether there are files is written with the videos.
  `update video v set local_files_size = f.size
   from (
     select coalesce(f.video_id, s.video_id) as id, sum(f.size) as size
     from video_file f left join streaming_playlist s on s.id = f.streaming_playlist_id group by 1
   ) f
   where f.id = v.id and not v.remote`,
  `update video v set trend_views = d.views
   from (
     select video_id, sum(views) as views from video_view_day
     where day > (now() at time zone 'UTC')::date - 7 group by 1
   ) d
   where d.video_id = v.id`
]

const documentPieces = 16

/** What searches look into, in pieces that connections share. */
export const documents: ReadonlyArray<string> = Array.from(
  { length: documentPieces },
  (_, n) => `insert into video_document
   select v.id, v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags,
     search_score(v.views, v.likes, v.comments, v.published_at), v.published_at, v.originally_published_at, v.category,
     v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, false, v.language, d.document
   from video v, video_documents(array[v.id]) d
   where v.id > (select max(id) from video) * ${n} / ${documentPieces}
     and v.id <= (select max(id) from video) * ${n + 1} / ${documentPieces}`
)

/** Documents of channels, and how often each word is used in names and tags. */
export const wordUses: ReadonlyArray<string> = [
  `insert into channel_document select d.* from video_channel c, channel_documents(array[c.id]) d`,
  `update search_language l set used = true where exists (
     select 1 from video v where split_part(v.language, '-', 1) = l.language)`,
  `insert into search_word (word, uses)
   select word, ndoc from ts_stat($stat$ select ts_filter(document, '{a,b}') from video_document union all
     select ts_filter(document, '{a,b}') from channel_document $stat$)
   where length(word) between 3 and 30 and word !~ '[0-9]'`
]

/** Totals that statements' triggers keep, and rows for the read models: of people, of videos of ours and of what is new. */
export const totals: ReadonlyArray<string> = [
  `delete from video_total`,
  `insert into video_total (visible, nsfw, remote, change)
   select visible, nsfw, remote, count(*) from video where visible > 0 group by 1, 2, 3`,
  `delete from video_count`,
  countKinds,
  `insert into owner_total
   select account_id, server_id, visible, nsfw, remote, count(*) from video where visible > 0 group by 1, 2, 3, 4, 5`,
  `insert into actor_read_model (actor_id) select actor_id from account union select actor_id from video_channel
   on conflict do nothing`,
  `insert into video_read_model (video_id) select id from video where not remote or published_at > now() - interval '30 days'`
]

/** Views by day: of the last thirty days, most of them of a few videos. */
export const views = `insert into video_view_day (video_id, day, views)
  select id, current_date - d, 1 + floor(200 * random() ^ 4)::int from generate_series(0, 29) d,
    lateral (select (random() ^ 2 * (select max(id) - 1 from video))::int + 1 as id from generate_series(1, 15000) n where d >= 0) v
  where exists (select 1 from video x where x.id = v.id)
  on conflict do nothing`

/** Follows of every server, blocks and a history of the administrator, and the blocks of the instance; once it is installed. */
export const administration = (size: Size): ReadonlyArray<string> => {
  const blockers = `(
    select c.id, 0 as n from account c join actor a on a.id = c.actor_id where a.type = 'Application' and a.server_id is null
    union all
    select c.id, 1 from account c join app_user u on u.id = c.user_id where u.username = 'root') b`
  const spread = (every: string, shift: string) => `(x.id + ${shift}) % ${every} = 0`
  const every = Math.max(2, Math.floor(size.remoteAccounts / size.blockedAccounts))
  const everyServer = Math.max(2, Math.floor(size.servers / size.blockedServers))
  return [
    // What nobody follows stands in no list.
    `insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
     select 'Application', 'peertube', id, 'https://' || host || '/accounts/peertube',
       'https://' || host || '/accounts/peertube/inbox', 'public' from server`,
    `insert into actor_follow (actor_id, target_actor_id, state)
     select o.id, t.id, 'accepted' from actor o, actor t
     where o.type = 'Application' and o.server_id is null and t.type = 'Application' and t.server_id is not null`,
    `insert into account_block (account_id, target_account_id)
     select id, target from (
       select b.id, x.id as target, row_number() over (partition by b.id order by x.id) as n
       from ${blockers} join account x on x.user_id is null and x.id <= ${size.remoteAccounts} and ${spread(String(every), "b.n * 3")}
     ) t where n <= ${size.blockedAccounts}`,
    // The largest servers are the first ones.
    `insert into server_block (account_id, server_id)
     select b.id, x.id from ${blockers} join server x on x.id > 10 and ${spread(String(everyServer), "b.n * 3")}`,
    `insert into user_video_history (user_id, video_id, current_time_seconds, created_at, updated_at)
     select u.id, v.id, v.duration / 2, v.published_at, v.published_at
     from app_user u, (select * from video where visible = 2 order by published_at desc limit ${size.watched * 4}) v
     where u.username = 'root' and v.id % 4 = 0`
  ]
}
