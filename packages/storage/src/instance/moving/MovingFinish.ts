import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { forget } from "./MovingRows.ts"

/** Counts that are columns of what they count for. */
const counts = [
  `update video_comment c set children = n.children from (
     select in_reply_to_comment_id as id, count(*)::integer as children from video_comment where shown and in_reply_to_comment_id is not null
     group by 1
   ) n where n.id = c.id`,
  `update video_comment c set replies = n.replies from (
     select origin_comment_id as id, count(*)::integer as replies from video_comment
     where not held_for_review and deleted_at is null and origin_comment_id is not null group by 1
   ) n where n.id = c.id`,
  `update video v set comments = n.comments from (
     select video_id as id, count(*)::integer as comments from video_comment where not held_for_review and deleted_at is null group by 1
   ) n where n.id = v.id`
]

/**
 * States that only work of the old program would have ended. A video with files can be watched; others failed. A live that was on has
 * ended, or waits where it is a permanent one.
 */
const states = [
  `update video v set state = case
       when exists (select from video_file f where f.video_id = v.id)
         or exists (select from streaming_playlist p join video_file f on f.streaming_playlist_id = p.id where p.video_id = v.id) then 1
       when v.state = 3 then 12 else 7 end
     where not v.remote and not v.is_live and v.state in (2, 3, 6, 8, 9, 10, 11)`,
  `update video v set state = case when l.permanent then 4 else 5 end from live_video l
     where l.video_id = v.id and v.is_live and not v.remote and v.state not in (4, 5)`
]

/** What others already have of ours: later changes are sent to them as changes. */
const published = [
  `insert into video_published (video_id, announced, shared, channel_actor_id, account_actor_id)
     select v.id, true, v.privacy = 1, c.actor_id, a.actor_id
     from video v join video_channel c on c.id = v.channel_id join account a on a.id = v.account_id
     where not v.remote and video_is_federated(v.id) and v.privacy = 1 on conflict do nothing`,
  `insert into playlist_published (playlist_id, announced, known)
     select id, true, array_remove(playlist_followed(id), null) from video_playlist
     where privacy = 1 and type = 1 and not remote on conflict do nothing`
]

/** Each user has a list for later. */
const lists = [
  `insert into video_playlist (uuid, url, name, privacy, type, owner_account_id)
     select m.made, substring(c.url from '^[a-z]+://[^/]+') || '/video-playlists/' || m.made, 'Watch later', 3, 2, a.id
     from account a join actor c on c.id = a.actor_id, lateral (select gen_random_uuid() as made where a.id is not null) m
     where a.user_id is not null on conflict (owner_account_id) where type = 2 do nothing`
]

/** Ids that were brought are used: new ones come after them. */
const sequences = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = yield* sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`
  for (const { column, table } of columns) {
    yield* sql`select setval(pg_get_serial_sequence(quote_ident(${table}), ${column}), greatest(
      (select coalesce(max(${sql(column)}), 0) from ${sql(table)}), 1), (select count(*) > 0 from ${sql(table)}))`
  }
})

/** Completes the rows when all of them are there, in one transaction: counts, states, what others know, ids, the client. */
export const finishRows = Effect.fn("MovingFinish.rows")(function* (client: {
  readonly id: string
  readonly secret: string
}) {
  const sql = yield* SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local statement_timeout = 0`
      for (const statement of [...lists, ...counts, ...states, ...published]) yield* sql.unsafe(statement)
      yield* sequences
      yield* sql`
        insert into oauth_client (client_id, client_secret, grants)
        select ${client.id}, ${client.secret}, array['password', 'refresh_token'] where not exists (select from oauth_client)`
      yield* sql`insert into instance_setting (key, value) values ('installed_at', to_jsonb(now())) on conflict do nothing`
      yield* forget
      yield* sql`update moving_in set state = 'files'`
    })
  )
})

/** Of files that could not be had: what names them goes, so that nothing leads to what is not there. */
const withoutFile: Readonly<Record<string, string>> = {
  "web video": "delete from video_file where id = $1",
  "hls file": "delete from video_file where id = $1",
  "hls rendition": "update video_file set playlist_filename = null where id = $1",
  "hls playlist": "delete from streaming_playlist where id = $1",
  "hls segments": "update streaming_playlist set segments_sha256_filename = null where id = $1",
  torrent: "update video_file set torrent_filename = null where id = $1",
  thumbnail: "delete from thumbnail where id = $1",
  "playlist picture": "delete from video_playlist_thumbnail where filename = $1",
  storyboard: "delete from storyboard where id = $1",
  caption: "delete from video_caption where id = $1",
  picture: "delete from actor_image where id = $1",
  original: "update video_source set filename = null where id = $1"
}

/** Takes back what names a file that is not there. */
export const dropMissing = Effect.fn("MovingFinish.dropMissing")(function* (kind: string, id: number, name: string) {
  const sql = yield* SqlClient
  const statement = withoutFile[kind]
  if (statement === undefined) return
  yield* sql.unsafe(statement, [kind === "playlist picture" ? name : id])
})

/** Ends an import: what its files were verified by goes, and the planner learns what there is. */
export const finishMoving = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      for (const statement of states) yield* sql.unsafe(statement)
      yield* forget
      yield* sql`delete from moving_in_file`
      yield* sql`update moving_in set state = 'done', finished_at = now()`
    })
  )
  yield* sql`analyze`
}).pipe(Effect.withSpan("MovingFinish.all"))
