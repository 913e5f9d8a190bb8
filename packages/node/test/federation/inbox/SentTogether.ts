import { InboxRows, type NewActivity } from "@kinora/storage/federation/inbox/InboxRows"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { InboxHosts } from "../../../src/federation/inbox/InboxHosts.ts"
import { readBody } from "../../../src/federation/inbox/ReceivedBody.ts"
import { type farInstance, publicly } from "./FarInstance.ts"
import type { FarActor } from "./FarPeer.ts"
import { settled } from "./InboxNode.ts"

export type FarInstance = Effect.Success<typeof farInstance>

/** A word that no other name has. */
export const word = "quokkatorium"

/** Creates of every kind, some of which come to nothing, and a Delete: who sends it, its type and what it is about. */
export const mixOf = (
  { alice, channel, far, video }: FarInstance,
  mallory: FarActor,
  below: string,
  published: string
): ReadonlyArray<readonly [FarActor, string, unknown]> => {
  const at = (path: string) => `${far.origin}${path}`
  const of = (nth: number, more: object) => ({
    ...video,
    ...{ id: at(`/videos/watch/${nth}`), uuid: undefined, name: `${word} ${nth}`, published, updated: published },
    ...more
  })
  const note = (nth: number, inReplyTo: string, more: object = {}) => ({
    ...{ type: "Note", id: at(`/notes/${nth}`), content: `said ${nth}`, inReplyTo, attributedTo: alice.url, published },
    ...{ to: [publicly], cc: [] },
    ...more
  })
  const file = (href: string) => ({ type: "Link", mediaType: "video/mp4", href, height: 720, size: 5, fps: 30 })
  const whole = of(1, {
    tag: ["sea", "Sea", "wind"].map((name) => ({ type: "Hashtag", name })),
    language: { identifier: "fr", name: "" },
    content: "All of it",
    icon: [
      { type: "Image", url: at("/small.jpg"), mediaType: "image/jpeg", width: 280, height: 157 },
      { type: "Image", url: at("/large.jpg"), mediaType: "image/jpeg", width: 850, height: 480 }
    ],
    subtitleLanguage: [{ identifier: "fr", name: "", url: at("/fr.vtt") }],
    preview: [
      {
        ...{ type: "Image", rel: ["storyboard"] },
        url: [
          {
            ...{ mediaType: "image/jpeg", href: at("/board.jpg"), width: 960, height: 540 },
            ...{ tileWidth: 192, tileHeight: 108, tileDuration: "PT1S" }
          }
        ]
      }
    ],
    url: [
      ...video.url,
      { type: "Link", mediaType: "application/x-mpegURL", href: at("/m.m3u8"), tag: [file(at("/f.mp4"))] },
      { type: "Link", name: "tracker-http", rel: ["tracker", "http"], href: at("/announce") }
    ]
  })
  const broken = {
    ...{ tag: [{ type: "Hashtag" }, 7, { name: "kept", type: "Hashtag" }], icon: "no picture", duration: "PT9S" },
    ...{ url: [...video.url, { type: "Link", mediaType: "application/x-mpegURL", href: 7, tag: "none" }] },
    ...{ subtitleLanguage: { identifier: {} }, category: { identifier: "none" }, views: -1, licence: null }
  }
  const gone = of(5, {})
  return [
    [alice, "Create", whole],
    [alice, "Create", { ...of(2, {}), id: "https://elsewhere.example/videos/watch/2" }],
    [alice, "Create", of(3, broken)],
    [alice, "Create", note(1, whole.id)],
    [alice, "Create", note(2, at("/notes/1"))],
    [alice, "Create", note(3, below)],
    // Once more, with another name; and by somebody else, whom it does not belong to.
    [
      alice,
      "Create",
      { ...whole, name: `${word} again`, updated: new Date(Date.parse(published) + 1_000).toISOString() }
    ],
    [mallory, "Create", { ...of(4, {}), attributedTo: [mallory.url, channel.url] }],
    [mallory, "Create", note(1, whole.id, { attributedTo: mallory.url, content: "mine" })],
    [alice, "Create", note(4, `${below}/nothing`)],
    [channel, "Create", note(5, below, { attributedTo: channel.url })],
    [alice, "Create", gone],
    [alice, "Create", note(6, gone.id)],
    [alice, "Create", { ...of(6, {}), name: "" }],
    [alice, "Create", note(7, at("/notes/3"))],
    [alice, "Delete", gone.id],
    [alice, "Delete", at("/notes/7")]
  ]
}

/** Has them stand in the line of a host together before any is applied. */
export const waitTogether = Effect.fnUntraced(function* (
  { far }: FarInstance,
  mix: ReturnType<typeof mixOf>
): Effect.fn.Return<void, unknown, InboxRows | InboxHosts | SqlClient> {
  const rows = yield* InboxRows
  const host = new URL(far.origin).host
  const activities = mix.map(([sender, type, object], nth): NewActivity => {
    const activity = far.activity(sender, type, object)
    const [claim] = Result.getOrThrow(readBody(Buffer.from(JSON.stringify(activity))))
    const about = typeof object === "string" ? object : (object as { readonly id: string }).id
    return {
      ...{ uri: activity.id, type, host, actorUrl: sender.url, object: about, repeatable: true },
      ...{ body: JSON.stringify(claim), digest: String(nth) }
    }
  })
  yield* rows.add(activities)
  yield* (yield* InboxHosts).wake(host)
  yield* settled()
})

/** Everything that is kept of an instance, without what tells it from another. */
export const keptOf = Effect.fnUntraced(function* ({ far, video }: FarInstance) {
  const sql = yield* SqlClient
  const theirs = sql`(select v.id from video v join server s on s.id = v.server_id where s.host = ${new URL(far.origin).host})`
  const answers = [
    yield* sql`
      select v.url, v.name, v.category, v.licence, v.language, v.privacy, v.state, v.duration, v.views, v.likes, v.comments,
        v.visible, v.listed, v.announced, v.hot_score, v.has_hls, v.has_web_videos, v.published_at, v.created_at,
        v.updated_at, v.description, v.comments_policy, r.given is not null as given, r.tracker_urls, r.likes_url,
        array(select lower(t.name::text) from video_tag x join tag t on t.id = x.tag_id where x.video_id = v.id order by 1) as tags,
        array(select concat_ws(' ', type, remote_url, width, height) from thumbnail where video_id = v.id order by id) as pictures,
        array(select concat_ws(' ', remote_url, total_width, sprite_width) from storyboard where video_id = v.id) as boards,
        array(select concat_ws(' ', remote_url, language) from video_caption where video_id = v.id order by id) as captions,
        array(select playlist_url from streaming_playlist where video_id = v.id) as playlists,
        array(select concat_ws(' ', f.file_url, f.resolution, f.size, f.fps, f.video_id is null) from video_file f
          left join streaming_playlist p on p.id = f.streaming_playlist_id
          where v.id in (f.video_id, p.video_id) order by f.id) as files,
        ts_delete(d.document, '~' || ((v.id >> 4) & 63))::text as document, d.score, d.visible as found
      from video v join remote_video r on r.video_id = v.id join video_document d on d.id = v.id
      where v.id in ${theirs} order by v.name`,
    yield* sql`
      select c.url, c.text, a.url as author, v.url as video, p.url as above, o.url as origin, c.held_for_review as held,
        c.shown, c.children, c.replies, c.deleted_at is not null as deleted
      from video_comment c join video v on v.id = c.video_id left join account w on w.id = c.account_id
        left join actor a on a.id = w.actor_id left join video_comment p on p.id = c.in_reply_to_comment_id
        left join video_comment o on o.id = c.origin_comment_id
      where starts_with(c.url, ${far.origin}) order by c.url`,
    yield* sql`
      select type, object, state, error from inbox_activity where host = ${new URL(far.origin).host} order by id`,
    yield* sql`
      select t.visible, t.nsfw, sum(t.change)::integer as videos from owner_total t join account o on o.id = t.account_id
        join actor a on a.id = o.actor_id where starts_with(a.url, ${far.origin}) group by 1, 2 having sum(t.change) <> 0`
  ]
  const text = JSON.stringify(answers).replaceAll(far.origin, "https://far.example").replaceAll(video.uuid, "first")
  return JSON.parse(text) as unknown
})
