import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { Users } from "../../../src/people/user/Users.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { applied, farInstance, oursOf, publicly, refused, tell } from "./FarInstance.ts"
import { type FarPeer, ours } from "./FarPeer.ts"
import { inboxNode } from "./InboxNode.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    users.create({ username: "owner", email: "owner@example.com", password: "password1", role: 2 })
  )
)
const node = people.pipe(Layer.provideMerge(inboxNode()))

/** Waits until a query answers so. */
const becomes = <E>(rows: Effect.Effect<ReadonlyArray<unknown>, E>, wanted: unknown) =>
  Effect.flatMap(rows, (found) =>
    JSON.stringify(found) === JSON.stringify(wanted)
      ? Effect.void
      : Effect.fail(`${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
  ).pipe(Effect.retry(Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(400)])), Effect.orDie)

const collection = (far: FarPeer, path: string, totalItems: number) => {
  far.serve(path, { type: "OrderedCollection", id: `${far.origin}${path}`, totalItems, orderedItems: [] })
  return `${far.origin}${path}`
}

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("What others change", (it) => {
  it.effect("is seen soon: ratings, chapters, followers and elements of playlists", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { alice, channel, far, video } = yield* farInstance
      const count = (likes: number, dislikes: number) => ({
        likes: collection(far, "/video/likes", likes),
        dislikes: collection(far, "/video/dislikes", dislikes)
      })
      const chapters = (...names: ReadonlyArray<string>) => {
        const hasPart = names.map((name, nth) => ({ name, startOffset: nth * 10 }))
        far.serve("/video/chapters", { id: `${far.origin}/video/chapters`, type: "Chapters", hasPart })
        return `${far.origin}/video/chapters`
      }
      const given = { ...video, ...count(1, 0), hasParts: chapters("One") }
      yield* tell(far, channel, "Create", given)
      const shown = sql`
        select likes, dislikes, array(
          select title from video_chapter c where c.video_id = v.id order by timecode
        ) as chapters from video v where url = ${video.id}`
      yield* becomes(shown, [{ likes: 0, dislikes: 0, chapters: ["One"] }])
      // The same document each time, as when somebody likes it.
      count(2, 1)
      chapters("One", "Two")
      yield* tell(far, channel, "Update", given)
      yield* becomes(shown, [{ likes: 2, dislikes: 1, chapters: ["One", "Two"] }])
      count(3, 0)
      yield* tell(far, channel, "Update", given)
      count(4, 0)
      yield* tell(far, channel, "Update", given)
      yield* becomes(shown, [{ likes: 4, dislikes: 0, chapters: ["One", "Two"] }])

      const followers = sql`select followers_count as followers from actor where url = ${channel.url}`
      const asActor = (total: number) => {
        const path = new URL(channel.url).pathname
        const key = createPublicKey(channel.privateKey).export({ type: "spki", format: "pem" })
        collection(far, `${path}/followers`, total)
        return {
          ...{ type: "Group", id: channel.url, preferredUsername: "films", name: "Films" },
          ...{ inbox: `${channel.url}/inbox`, followers: `${channel.url}/followers` },
          attributedTo: [{ type: "Person", id: alice.url }],
          publicKey: { id: `${channel.url}#main-key`, owner: channel.url, publicKeyPem: key }
        }
      }
      for (const total of [5, 6]) {
        assert.deepStrictEqual(yield* tell(far, channel, "Update", asActor(total)), applied)
        yield* becomes(followers, [{ followers: total }])
      }

      const id = `${far.origin}/video-playlists/1`
      const playlist = (count: number) => {
        const orderedItems = Array.from({ length: count }, (_, nth) => {
          const element = { id: `${id}/videos/${nth + 1}`, type: "PlaylistElement", url: video.id, position: nth + 1 }
          far.serve(new URL(element.id).pathname, element)
          return element.id
        })
        return { id, type: "Playlist", name: "List", attributedTo: [channel.url], to: [publicly], orderedItems }
      }
      const elements = sql`
        select count(*)::integer as n from video_playlist_element e join video_playlist p on p.id = e.playlist_id
        where p.url = ${id}`
      for (const total of [1, 2, 3]) {
        assert.deepStrictEqual(yield* tell(far, channel, "Update", playlist(total)), applied)
        yield* becomes(elements, [{ n: total }])
      }
    })
  )

  it.effect("may come back as it was after it was deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { channel, far, video } = yield* farInstance
      const shares = sql`select 1 as shared from video_share s join video v on v.id = s.video_id where v.url = ${video.id}`
      const announce = JSON.stringify(far.activity(channel, "Announce", video.id))
      // Signed at another moment each time: the same request once more is nobody's word.
      const send = (off: number) =>
        Effect.flatMap(far.send(channel, announce, { off }), ({ status }) =>
          Effect.sync(() => assert.strictEqual(status, 204))
        )
      yield* send(-5_000)
      yield* becomes(shares, [{ shared: 1 }])
      yield* tell(far, channel, "Delete", video.id)
      yield* becomes(shares, [])
      yield* send(0)
      yield* becomes(shares, [{ shared: 1 }])
    })
  )

  it.effect("is not answered without end, and what was refused may be asked again once it is taken back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { far } = yield* farInstance
      const app = far.actor("peertube", { type: "Application" })
      const instance = `${ours}/accounts/peertube`
      const state = sql`
        select f.state from actor_follow f join actor a on a.id = f.actor_id join actor t on t.id = f.target_actor_id
        where a.url = ${app.url} and t.url = ${instance}`
      const follow = (nth: number) => ({
        type: "Follow",
        id: `${app.url}/follows/${nth}`,
        actor: app.url,
        object: instance
      })
      const ask = (nth: number) => tell(far, app, "Follow", instance, { id: follow(nth).id })
      assert.deepStrictEqual(yield* ask(1), applied)
      // An administrator's word is kept.
      yield* sql`update actor_follow set state = 'rejected' where url = ${follow(1).id}`
      assert.deepStrictEqual(yield* ask(2), applied)
      assert.deepStrictEqual(yield* state, [{ state: "rejected" }])
      assert.deepStrictEqual(yield* tell(far, app, "Undo", follow(2)), applied)
      assert.deepStrictEqual(yield* state, [])
      for (let nth = 3; nth < 11; nth++) {
        assert.deepStrictEqual(yield* ask(nth), applied)
        assert.deepStrictEqual(yield* state, [{ state: "accepted" }])
        yield* tell(far, app, "Undo", follow(nth))
      }
      assert.deepStrictEqual(yield* ask(11), refused("it was asked for too often"))
      assert.deepStrictEqual(yield* state, [])
    })
  )

  it.effect("comes in JSON-LD with the profile of ActivityStreams or none, and in no other", () =>
    Effect.gen(function* () {
      const { alice, far } = yield* farInstance
      const mine = yield* addVideo({ owner: "owner" })
      const post = (contentType: string) =>
        Effect.map(far.post(alice, "Like", oursOf(mine.uuid), {}, { contentType }), ({ status }) => status)
      assert.strictEqual(yield* post("application/ld+json"), 204)
      assert.strictEqual(yield* post('application/ld+json; profile="https://www.w3.org/ns/activitystreams"'), 204)
      assert.strictEqual(yield* post('application/ld+json; profile="https://example.com/other"'), 415)
    })
  )
})

const short = generateKeyPairSync("rsa", { modulusLength: 1024 })

/** Somebody with a short key sends something: what that comes to. */
const withShortKey = Effect.gen(function* () {
  const { far } = yield* farInstance
  const key = short.publicKey.export({ type: "spki", format: "pem" })
  const url = `${far.origin}/accounts/short`
  const weak = far.actor("short", { publicKey: { id: `${url}#main-key`, owner: url, publicKeyPem: String(key) } })
  const mine = yield* addVideo({ owner: "owner" })
  return yield* far.post({ ...weak, privateKey: short.privateKey }, "Like", oursOf(mine.uuid))
})

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("RSA keys of 1024 bits", (it) => {
  it.effect("are refused, and the answer says why", () =>
    Effect.gen(function* () {
      const { status, text } = yield* withShortKey
      assert.strictEqual(status, 403)
      assert.include(text, "1024 bits")
    })
  )
})

const lenient = people.pipe(Layer.provideMerge(inboxNode({ federation: { min_rsa_bits: 1024 } })))
layer(lenient, { excludeTestServices: true, timeout: "120 seconds" })(
  "RSA keys of 1024 bits where they are taken",
  (it) => {
    it.effect("prove who sends", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* withShortKey).status, 204)
      })
    )
  }
)
