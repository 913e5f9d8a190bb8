import { VideoState } from "@kinora/domain/enums/VideoState"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import type { GivenVideo, NewRemoteVideo, WrittenVideo } from "./NewRemoteVideo.ts"
import { remoteVideoParts, type VideoParts } from "./RemoteVideoParts.ts"

/** A channel, as long as the transaction lasts that reads it. */
interface HeldChannel {
  readonly id: number
  readonly accountId: number
}

/** What is known at the address of a video that is given. */
interface KnownVideo {
  readonly id: number
  readonly url: string
  readonly remote: boolean
  readonly accountId: number
  readonly channelId: number
  /** What it was last given as. */
  readonly digest: string | null
  /** It has been given as of a later time. */
  readonly isNewer: boolean
}

/** A video that is given, with what is to be written of it. */
interface Owned extends GivenVideo {
  readonly channel: HeldChannel
  readonly digest: string
}

/** How often a video is looked for again that somebody else writes at the same time. */
const attempts = 3

const digestOf = (video: NewRemoteVideo): string => createHash("md5").update(JSON.stringify(video)).digest("hex")

/** Whether what is known may become what is given: nobody takes what is ours, or another's without its origin's word. */
const mayChange = ({ asked, channel }: Owned, known: KnownVideo): boolean =>
  known.remote && (known.accountId === channel.accountId || asked)

const isSame = ({ channel, digest }: Owned, known: KnownVideo): boolean =>
  known.digest?.replaceAll("-", "") === digest &&
  known.channelId === channel.id &&
  known.accountId === channel.accountId

/** The columns of a video, as JSON that `columns` names. */
const rowOf = ({ channel, video }: Owned, more: object) => {
  const { captions: _c, files: _f, hls: _h, pictures: _p, schedules: _l, storyboard: _s, ...others } = video
  const { tags: _t, trackers: _u, ...row } = others
  return { ...row, ...more, channel: channel.id, account: channel.accountId }
}

/**
 * Writes videos of other instances, one as many: what is not known yet goes into each table together, what is known becomes what
 * is given. To be run in a transaction.
 *
 * A new video comes with all its parts. What otherwise happens when a part is added (cached JSON made void, figures and documents
 * made anew, feeds and followers informed) has nothing to do: nobody has seen it, and its document is written when all of it is
 * there. Triggers that would look for that are left out while `kinora.video_begins` is on.
 */
export const remoteVideoWrites = (sql: SqlClient) => {
  const parts = remoteVideoParts(sql)

  const columns = sql`
    (id integer, channel integer, account integer, url text, uuid uuid, name text, category smallint, licence smallint,
      language text, privacy smallint, state smallint, nsfw boolean, "nsfwFlags" integer, "nsfwSummary" text,
      description text, support text, duration integer, "aspectRatio" real, "isLive" boolean, "waitTranscoding" boolean,
      "downloadEnabled" boolean, "commentsPolicy" smallint, views integer, downloads integer,
      "inputFileUpdated" timestamptz, "originallyPublished" timestamptz, published timestamptz, updated timestamptz,
      "hasHls" boolean, "hasWebVideos" boolean)`

  /** Holds accounts before channels, as whoever removes them does. */
  const hold = Effect.fnUntraced(function* (channelIds: ReadonlyArray<number>) {
    yield* sql`
      select 1 from account where id in (select account_id from video_channel where id = any(${channelIds}::integer[]))
      order by id for share`
    const rows = yield* sql<HeldChannel>`
      select id, account_id as "accountId" from video_channel where id = any(${channelIds}::integer[]) order by id for share`
    return new Map(rows.map((row) => [row.id, row]))
  })

  const find = (given: ReadonlyArray<Owned>) => sql<KnownVideo>`
    select v.id, v.url, v.remote, v.account_id as "accountId", v.channel_id as "channelId", r.given as digest,
      coalesce(g.updated < v.updated_at, false) as "isNewer"
    from unnest(${given.map(({ video }) => video.url)}::text[], ${given.map(({ video }) => video.updated ?? "")}::text[])
        u (url, updated)
      cross join lateral (select nullif(u.updated, '')::timestamptz as updated) g
      join video v on v.url = u.url left join remote_video r on r.video_id = v.id
    order by v.id for no key update of v`

  /** Adds those that nobody has written meanwhile, without their parts. */
  const insert = Effect.fnUntraced(function* (given: ReadonlyArray<Owned>) {
    const uuids = new Set<string>()
    const rows = given.map((one) => {
      const { files, hls, uuid } = one.video
      const taken = uuid !== null && uuids.has(uuid)
      if (uuid !== null) uuids.add(uuid)
      return rowOf(one, { uuid: taken ? null : uuid, hasHls: hls !== null, hasWebVideos: files.length > 0 })
    })
    const languages = [...new Set(given.flatMap(({ video }) => video.language?.split("-")[0] ?? []))]
    yield* sql`update search_language set used = true where not used and language = any(${languages}::text[])`
    return yield* sql<{ id: number; url: string }>`
      with fresh as materialized (
        select g.*, t.server_id, video_has_followers(0, g.channel, g.account) as followed,
          case when video_is_listed(g.state, g.privacy, false) then 2 when g.state = 1 and g.privacy = 4 then 1 else 0 end
            as open
        from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as ${columns}) g
          join account o on o.id = g.account join actor t on t.id = o.actor_id
      )
      insert into video (uuid, channel_id, account_id, server_id, remote, url, name, category, licence, language, privacy,
        state, nsfw, nsfw_flags, nsfw_summary, description, support, duration, aspect_ratio, is_live, wait_transcoding,
        download_enabled, comments_policy, views, downloads, input_file_updated_at, originally_published_at, published_at,
        created_at, updated_at, has_hls, has_web_videos, visible, listed, announced, hot_score)
      select
        -- A uuid that is somebody's already stays theirs.
        case when g.uuid is null or exists (select from video v where v.uuid = g.uuid) then gen_random_uuid() else g.uuid end,
        g.channel, g.account, g.server_id, true, g.url, g.name, g.category, g.licence, g.language, g.privacy, g.state,
        g.nsfw, g."nsfwFlags", g."nsfwSummary", g.description, g.support, g.duration, g."aspectRatio", g."isLive",
        g."waitTranscoding", g."downloadEnabled", g."commentsPolicy", g.views, g.downloads, g."inputFileUpdated",
        g."originallyPublished", least(g.published, now()), least(g.published, now()),
        least(coalesce(g.updated, g.published, now()), now()), g."hasHls", g."hasWebVideos",
        case when g.open > 0 and not g.followed then -1 else g.open end, g.open = 2 and g.followed,
        g.open > 0, video_hotness(g.views, 0, 0, least(g.published, now()))
      from fresh g order by g.url
      on conflict do nothing returning id, url`
  })

  /** What goes with a video that is seen for the first time. */
  const begin = Effect.fnUntraced(function* (made: ReadonlyArray<VideoParts>) {
    const ids = made.map(({ id }) => id)
    yield* sql`
      insert into notification_event (tag, subject)
      select 'VideoPublished', v.id from video v
      where v.id = any(${ids}::integer[]) and v.visible <> 0 and v.published_at >= now() - interval '2 days' and exists (
        select from video_channel c join actor_follow f on f.target_actor_id = c.actor_id and f.state = 'accepted'
        where c.id = v.channel_id
      ) order by v.id`
    yield* parts.add(made)
    yield* sql`
      insert into video_document
      select v.id, v.account_id, v.channel_id, v.server_id, v.duration, v.nsfw_flags,
        search_score(v.views, v.likes, v.comments, v.published_at), v.published_at, v.originally_published_at, v.category,
        v.licence, v.privacy, v.state, v.visible, v.nsfw, v.remote, v.is_live, false, v.language, d.document
      from video v join video_documents(${ids}::integer[]) d on d.id = v.id order by v.id`
  })

  const change = Effect.fnUntraced(function* (changed: ReadonlyArray<readonly [number, Owned]>) {
    const rows = changed.map(([id, one]) => rowOf(one, { id, uuid: null }))
    yield* sql`
      update video v set channel_id = g.channel, account_id = g.account, name = g.name, category = g.category,
        licence = g.licence, language = g.language, privacy = g.privacy, state = g.state, nsfw = g.nsfw,
        nsfw_flags = g."nsfwFlags", nsfw_summary = g."nsfwSummary", description = g.description, support = g.support,
        duration = g.duration, aspect_ratio = g."aspectRatio", is_live = g."isLive",
        wait_transcoding = g."waitTranscoding", download_enabled = g."downloadEnabled",
        comments_policy = g."commentsPolicy", views = g.views, downloads = g.downloads,
        input_file_updated_at = g."inputFileUpdated", originally_published_at = g."originallyPublished",
        published_at = least(g.published, v.published_at, now()),
        announced = v.announced and not (g."isLive" and g.state = ${VideoState.waitingForLive}),
        updated_at = least(coalesce(g.updated, v.updated_at), now())
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as ${columns}) g where v.id = g.id`
    yield* parts.replace(changed.map(([id, { video }]) => ({ id, video })))
  })

  /** What is only needed to ask for them again, and when they were sent. */
  const remember = (written: ReadonlyArray<readonly [number, Owned]>) => {
    const rows = written.map(([id, { digest, video }]) => {
      const { chaptersUrl, commentsUrl, dislikesUrl, likesUrl, sharesUrl, trackers } = video
      return { id, digest, trackers, likesUrl, dislikesUrl, sharesUrl, commentsUrl, chaptersUrl }
    })
    return sql`
      insert into remote_video (video_id, given, tracker_urls, likes_url, dislikes_url, shares_url, comments_url, chapters_url)
      select g.id, g.digest, g.trackers, g."likesUrl", g."dislikesUrl", g."sharesUrl", g."commentsUrl", g."chaptersUrl"
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) g (id integer, digest uuid, trackers text[],
        "likesUrl" text, "dislikesUrl" text, "sharesUrl" text, "commentsUrl" text, "chaptersUrl" text)
      order by g.id
      on conflict (video_id) do update set fetched_at = now(), given = excluded.given,
        tracker_urls = excluded.tracker_urls, likes_url = excluded.likes_url, dislikes_url = excluded.dislikes_url,
        shares_url = excluded.shares_url, comments_url = excluded.comments_url, chapters_url = excluded.chapters_url`
  }

  const touch = (ids: ReadonlyArray<number>) => sql`
    insert into remote_video (video_id) select id from unnest(${ids}::integer[]) u (id) order by id
    on conflict (video_id) do update set fetched_at = now()`

  return Effect.fnUntraced(function* (given: ReadonlyArray<GivenVideo>) {
    const channels = yield* hold([...new Set(given.map(({ owner }) => owner.channelId))])
    const owned = new Map<string, Owned>()
    for (const one of given) {
      const channel = channels.get(one.owner.channelId)
      if (channel === undefined || (one.owner.accountId ?? channel.accountId) !== channel.accountId) continue
      owned.set(one.video.url, { ...one, channel, digest: digestOf(one.video) })
    }
    const rows = new Map<string, WrittenVideo>()
    const made: Array<readonly [number, Owned]> = []
    const changed: Array<readonly [number, Owned]> = []
    const same: Array<number> = []
    let left = [...owned.values()]
    // Whoever writes the same at the same time is waited for, and found then.
    for (let nth = 0; left.length > 0 && nth < attempts; nth++) {
      const found = new Set<string>()
      for (const known of yield* find(left)) {
        found.add(known.url)
        const one = owned.get(known.url)!
        if (!mayChange(one, known)) continue
        rows.set(known.url, { id: known.id, isNew: false })
        if (known.isNewer || isSame(one, known)) same.push(known.id)
        else changed.push([known.id, one])
      }
      left = left.filter(({ video }) => !found.has(video.url))
      if (left.length === 0) break
      yield* sql`select set_config('kinora.video_begins', 'on', true)`
      const inserted = new Map((yield* insert(left)).map(({ id, url }) => [url, id]))
      const fresh = left.flatMap((one) => {
        const id = inserted.get(one.video.url)
        return id === undefined ? [] : [[id, one] as const]
      })
      if (fresh.length > 0) yield* begin(fresh.map(([id, { video }]) => ({ id, video })))
      yield* sql`select set_config('kinora.video_begins', '', true)`
      made.push(...fresh)
      for (const [id, { video }] of fresh) rows.set(video.url, { id, isNew: true })
      left = left.filter(({ video }) => !inserted.has(video.url))
    }
    if (changed.length > 0) yield* change(changed)
    if (made.length + changed.length > 0) yield* remember([...made, ...changed])
    if (same.length > 0) yield* touch(same)
    return given.map(({ video }) => (owned.has(video.url) ? rows.get(video.url) : undefined))
  })
}
