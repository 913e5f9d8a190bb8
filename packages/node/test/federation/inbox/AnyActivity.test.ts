import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { createPublicKey, randomUUID } from "node:crypto"
import { fetchServices } from "../../../src/federation/fetch/FetchServices.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { anyActivity, lie } from "./AnyActivity.ts"
import { type FarActor, farPeer, ours } from "./FarPeer.ts"
import { inboxNode, settled } from "./InboxNode.ts"
import { type Difference, differences, snapshot, stolen } from "./OwnRows.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    Effect.forEach(["owner", "other"], (username) =>
      users.create({ username, email: `${username}@example.com`, password: "password1", role: 2 })
    )
  )
)

/** All instances here are this machine: its rate would be that of one host. */
const fetching = fetchServices({ addresses: "loopback", host: { rate: 10_000, burst: 10_000 } })
const node = people.pipe(Layer.provideMerge(inboxNode({}, fetching)))

const publicly = "https://www.w3.org/ns/activitystreams#Public"

/** An instance with people, a channel, a video, a playlist, and comments, which it gives to whoever asks. */
const farInstance = Effect.gen(function* () {
  const far = yield* farPeer
  const alice = far.actor("alice")
  const bob = far.actor("bob")
  const films = far.actor("films", { type: "Group", attributedTo: [{ type: "Person", id: alice.url }] })
  const uuid = randomUUID()
  const video = {
    type: "Video",
    id: `${far.origin}/videos/watch/${uuid}`,
    uuid,
    name: "From afar",
    duration: "PT60S",
    attributedTo: [alice.url, films.url],
    to: [publicly],
    published: "2026-01-01T00:00:00.000Z",
    updated: "2026-01-01T00:00:00.000Z",
    url: [
      {
        type: "Link",
        mediaType: "video/mp4",
        href: `${far.origin}/v.mp4`,
        height: 360,
        width: 640,
        size: 9,
        fps: 25
      }
    ]
  }
  const note = (nth: number, inReplyTo: string, author = bob.url) => ({
    type: "Note",
    id: `${far.origin}/notes/${nth}`,
    content: `<p>Said ${nth}</p>`,
    inReplyTo,
    attributedTo: author,
    published: "2026-01-01T00:00:00.000Z",
    to: [publicly]
  })
  const playlist = {
    type: "Playlist",
    id: `${far.origin}/video-playlists/1`,
    uuid: randomUUID(),
    name: "A list",
    totalItems: 0,
    orderedItems: [],
    attributedTo: [films.url],
    to: [publicly],
    published: "2026-01-01T00:00:00.000Z"
  }
  const keep = <A extends { readonly id: string }>(object: A): A => {
    far.serve(new URL(object.id).pathname, object)
    return object
  }
  return { ...far, alice, bob, films, video: keep(video), playlist: keep(playlist), note, keep }
})

const tell = Effect.fnUntraced(function* (
  far: Effect.Success<typeof farInstance>,
  sender: FarActor,
  type: string,
  object: unknown
) {
  const activity = far.activity(sender, type, object)
  assert.strictEqual((yield* far.send(sender, JSON.stringify(activity))).status, 204)
  assert.deepStrictEqual(yield* settled(activity.id), { state: "applied", error: null }, type)
  return activity.id
})

/** Nothing waits but what was put off. */
const allLookedAt = Effect.flatMap(SqlClient, (sql) =>
  sql`select from inbox_activity where state = 'waiting' and not_before is null limit 1`.pipe(
    Effect.filterOrFail((rows) => rows.length === 0),
    Effect.retry(Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(900)])),
    Effect.orDie
  )
)

/**
 * All that somebody of one instance brings about outside of what is theirs: in rows of ours, how often something was liked,
 * watched, commented on and followed.
 */
const counted: Readonly<Record<string, ReadonlyArray<string>>> = {
  actor: ["followers_count", "following_count"],
  video: ["likes", "dislikes", "views", "trend_views", "downloads", "comments", "hot_score"],
  video_comment: ["replies", "author_replies", "children"]
}

/**
 * And rows that were not there: what we answer them and pass on to followers, what our people are told of, the figures of
 * what they watched of ours, and that our copies of what they deleted are to go.
 */
const follows: ReadonlySet<string> = new Set([
  ...["activity", "delivery", "notification_event", "object_removal"],
  ...["video_viewing", "video_view_day", "video_viewers", "video_recount", "actor_recount", "outbox_change"],
  ...["listing_change", "server"]
])
const answers: ReadonlySet<unknown> = new Set(["Accept", "Reject", "Create", "Update", "Delete"])

/** What whom somebody here follows passes on of others is shown to everybody. */
const shared: ReadonlyArray<string> = ["listed", "visible"]

const isAllowed = ({ after, columns, owner, table, what }: Difference): boolean => {
  const free = [...(counted[table] ?? []), ...(table === "video" && owner !== "ours" ? shared : [])]
  return what === "new"
    ? follows.has(table) && (table !== "activity" || answers.has(after?.["type"]))
    : what === "changed" && columns.every((column) => free.includes(column))
}

const shown = ({ after, before, columns, owner, table, what }: Difference) =>
  `${what} ${table} of ${owner}: ${columns.length > 0 ? columns.map((it) => `${it} ${String(before?.[it])} -> ${String(after?.[it])}`).join(", ") : JSON.stringify(after ?? before)}`

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("No activity of one instance", (it) => {
  it.effect(
    "changes anything of another, or of ours, but what it is to be counted in or told of",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const evil = yield* farInstance
        const other = yield* farInstance
        const mine = yield* addVideo({ owner: "owner" })
        const hidden = yield* addVideo({ owner: "other", privacy: 3 })
        const my = (path: string) => `${ours}${path}`
        const mineUrl = my(`/videos/watch/${mine.uuid}`)
        const evilHost = new URL(evil.origin).host

        // What both have here, before one of them begins.
        const known: Array<string> = []
        for (const far of [other, evil]) {
          yield* tell(far, far.films, "Create", far.video)
          const first = far.keep(far.note(1, mineUrl))
          known.push(yield* tell(far, far.bob, "Create", first))
          known.push(yield* tell(far, far.bob, "Create", far.keep(far.note(2, first.id))))
          yield* tell(far, far.bob, "Create", far.keep(far.note(3, far.video.id)))
          known.push(yield* tell(far, far.bob, "Like", mineUrl))
          known.push(yield* tell(far, far.films, "Announce", mineUrl))
          known.push(yield* tell(far, far.bob, "Follow", my("/video-channels/owner_channel")))
          yield* tell(far, far.films, "Create", far.playlist)
          known.push(...[far.alice, far.bob, far.films].map(({ url }) => url))
          known.push(far.video.id, far.playlist.id, ...[1, 2, 3].map((nth) => `${far.origin}/notes/${nth}`))
        }
        // Whom somebody here follows may have us fetch more.
        const [follow] = yield* sql<{ url: string }>`
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select o.id, t.id, 'accepted', ${my("/accounts/owner/follows/")} || t.id from actor o, actor t
        where o.url = ${my("/accounts/owner")} and t.url in (${other.films.url}, ${evil.films.url}) returning url`
        const own = [
          ...[mineUrl, my(`/videos/watch/${hidden.uuid}`), follow!.url, my("/accounts/peertube")],
          ...["/accounts/owner", "/video-channels/owner_channel", "/accounts/other"].map(my)
        ]
        const at = (origin: string) => ({
          origin,
          addresses: known.filter((address) => address.startsWith(`${origin}/`))
        })
        const senders = [evil.alice, evil.bob, evil.films]
        const activities = fc.sample(
          anyActivity(
            {
              ...at(evil.origin),
              publicKeyPem: createPublicKey(evil.alice.privateKey).export({ type: "spki", format: "pem" }) as string,
              belonging: [evil.bob.url, [evil.alice.url, evil.films.url], [evil.films.url]]
            },
            [at(other.origin), { origin: ours, addresses: own }],
            senders.map(({ url }) => url)
          ),
          { numRuns: 300 }
        )

        const before = yield* snapshot(ours)
        assert.deepStrictEqual(stolen(before), [])
        const statuses = yield* Effect.forEach(
          activities,
          ({ activity, sender }) => {
            // Whoever asks the sender's own instance is lied to as well.
            const { object } = activity
            const id = typeof object === "object" && object !== null && "id" in object ? String(object.id) : ""
            if (id.startsWith(`${evil.origin}/made/`)) evil.serve(new URL(id).pathname, object)
            const by = senders.find(({ url }) => url === sender)!
            return Effect.map(evil.send(by, JSON.stringify(activity)), ({ status }) => status)
          },
          { concurrency: 8 }
        )
        yield* allLookedAt
        const after = yield* snapshot(ours)

        const found = differences(before, after).filter(({ owner }) => owner !== evilHost)
        assert.deepStrictEqual(found.filter((one) => !isAllowed(one)).map(shown), [])
        assert.deepStrictEqual(stolen(after), [])
        assert.deepStrictEqual(found.filter((one) => JSON.stringify(one.after ?? {}).includes(lie)).map(shown), [])
        // They were no nonsense: most were kept, and many applied.
        assert.isAbove(statuses.filter((status) => status === 204).length, 100)
        const [applied] = yield* sql<{ n: number }>`
        select count(*) as n from inbox_activity where state = 'applied' and uri like ${`${evil.origin}/activities/%`}`
        assert.isAbove(applied!.n, 30)
      }),
    120_000
  )
})
