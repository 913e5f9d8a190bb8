import { assert, layer } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Users } from "../../../src/people/user/Users.ts"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { applied, farInstance, oursOf, publicly, refused, tell } from "./FarInstance.ts"
import { ours } from "./FarPeer.ts"
import { inboxNode, settled } from "./InboxNode.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    Effect.forEach(["owner", "other"], (username) =>
      users.create({ username, email: `${username}@example.com`, password: "password1", role: 2 })
    )
  )
)
const node = people.pipe(Layer.provideMerge(inboxNode()))

const isoOf = (millis: number) => DateTime.formatIso(DateTime.makeUnsafe(millis))

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("Verbs", (it) => {
  it.effect("Follow, Undo, Accept and Reject", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { alice, channel, far } = yield* farInstance
      const follows = sql<{ state: string }>`
        select f.state from actor_follow f join actor a on a.id = f.actor_id where a.url = ${alice.url}`
      const target = `${ours}/video-channels/owner_channel`
      const id = `${alice.url}/follows/1`
      assert.deepStrictEqual(yield* tell(far, alice, "Follow", target, { id }), applied)
      assert.deepStrictEqual(yield* follows, [{ state: "accepted" }])
      assert.deepStrictEqual(
        yield* tell(far, alice, "Follow", `${ours}/accounts/nobody`),
        refused("whom it wants to follow is not here")
      )
      // Somebody else's follow is not theirs to undo (AP-24).
      const mallory = far.actor("mallory")
      const follow = { type: "Follow", id, actor: alice.url, object: target }
      assert.deepStrictEqual(
        yield* tell(far, mallory, "Undo", follow),
        refused("what it takes back is somebody else's")
      )
      assert.deepStrictEqual(yield* tell(far, mallory, "Undo", id), applied)
      assert.strictEqual((yield* follows).length, 1)
      assert.deepStrictEqual(yield* tell(far, alice, "Undo", follow), applied)
      assert.deepStrictEqual(yield* follows, [])
      // And again, under the same id, as PeerTube does: with other bytes it is another one.
      const again = { id, published: "2026-01-02T00:00:00.000Z" }
      assert.deepStrictEqual(yield* tell(far, alice, "Follow", target, again), applied)
      assert.deepStrictEqual(yield* follows, [{ state: "accepted" }])

      // AP-36: answers to what nobody asked, or asked of somebody else.
      const never = refused("nothing of the kind was asked of its sender")
      assert.deepStrictEqual(yield* tell(far, channel, "Accept", `${ours}/follows/9`), never)
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select o.id, c.id, 'pending', ${`${ours}/accounts/owner/follows/1`} from actor o, actor c
        where o.url = ${`${ours}/accounts/owner`} and c.url = ${channel.url}`
      const row = sql<{ state: string; url: string }>`
        select f.state, f.url from actor_follow f join actor t on t.id = f.target_actor_id where t.url = ${channel.url}`
      const asked = Effect.map(row, (rows) => rows.map(({ state }) => ({ state })))
      const claim = { type: "Follow", id: (yield* row)[0]!.url, actor: `${ours}/accounts/owner`, object: channel.url }
      const elsewhere = yield* farInstance
      assert.deepStrictEqual(yield* tell(far, mallory, "Accept", claim), never)
      assert.deepStrictEqual(yield* tell(elsewhere.far, elsewhere.alice, "Reject", claim), never)
      assert.deepStrictEqual(yield* asked, [{ state: "pending" }])
      assert.deepStrictEqual(yield* tell(far, channel, "Accept", claim), applied)
      assert.deepStrictEqual(yield* asked, [{ state: "accepted" }])
      assert.deepStrictEqual(yield* tell(far, channel, "Reject", { ...claim, id: undefined }), applied)
      assert.deepStrictEqual(yield* asked, [{ state: "rejected" }])
    })
  )

  it.effect("Like, Dislike and their Undo change the counts of videos others may see, exactly", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { alice, channel, far, video: theirs } = yield* farInstance
      const bob = far.actor("bob")
      const video = yield* addVideo({ owner: "owner" })
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      const url = oursOf(video.uuid)
      const counts = sql`select likes, dislikes from video where id = ${video.id}`
      const like = `${alice.url}/likes/1`
      yield* tell(far, alice, "Like", url, { id: like })
      yield* tell(far, bob, "Like", { id: url })
      assert.deepStrictEqual(yield* counts, [{ likes: 2, dislikes: 0 }])
      yield* tell(far, bob, "Dislike", url)
      assert.deepStrictEqual(yield* counts, [{ likes: 1, dislikes: 1 }])
      yield* tell(far, bob, "Undo", like)
      assert.deepStrictEqual(yield* counts, [{ likes: 1, dislikes: 1 }])
      yield* tell(far, alice, "Undo", like)
      yield* tell(far, bob, "Undo", { type: "Dislike", actor: bob.url, object: url })
      assert.deepStrictEqual(yield* counts, [{ likes: 0, dislikes: 0 }])
      yield* tell(far, alice, "Create", { type: "Dislike", id: `${alice.url}/d`, actor: alice.url, object: url })
      assert.deepStrictEqual(yield* counts, [{ likes: 0, dislikes: 1 }])
      assert.deepStrictEqual(yield* tell(far, channel, "Like", url), refused("only people rate"))
      assert.deepStrictEqual(yield* tell(far, alice, "Like", oursOf(hidden.uuid)), refused("no such video"))
      assert.deepStrictEqual(yield* tell(far, alice, "Like", theirs.id), refused("no such video"))
      const [one] = yield* sql`select likes from video where id = ${hidden.id}`
      assert.deepStrictEqual(one, { likes: 0 })
    })
  )

  it.effect("Announce and Create bring videos, Update changes and Delete removes them: of their own origin alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { alice, channel, far, video } = yield* farInstance
      const stranger = yield* farInstance
      const kept = sql<{ name: string }>`select name from video where url = ${video.id}`
      const shares = Effect.map(
        sql<{
          n: number
        }>`select count(*) as n from video_share s join video v on v.id = s.video_id where v.url = ${video.id}`,
        (rows) => rows[0]!.n
      )
      // AP-24: unknown, of another origin, by whom nobody follows.
      const unknown = refused("what it announces is unknown, and nobody here follows it")
      assert.deepStrictEqual(yield* tell(stranger.far, stranger.channel, "Announce", video.id), unknown)
      assert.deepStrictEqual(yield* tell(far, channel, "Announce", video.id), applied)
      assert.deepStrictEqual(yield* kept, [{ name: "From afar" }])
      assert.strictEqual(yield* shares, 1)
      // Once it is known anybody may share it, and an Announce of an Announce is nothing.
      assert.deepStrictEqual(yield* tell(stranger.far, stranger.channel, "Announce", { id: video.id }), applied)
      assert.strictEqual(yield* shares, 2)
      stranger.far.serve("/announce", {
        ...stranger.far.activity(stranger.channel, "Announce", video.id),
        id: `${stranger.far.origin}/announce`
      })
      const chain = yield* tell(stranger.far, stranger.channel, "Announce", `${stranger.far.origin}/announce`)
      assert.strictEqual(chain?.state, "refused")
      yield* tell(stranger.far, stranger.channel, "Undo", {
        type: "Announce",
        actor: stranger.channel.url,
        object: video.id
      })
      assert.strictEqual(yield* shares, 1)

      // AP-02: an Update by another origin, by a neighbour, and by whom it belongs to.
      const renamed = { ...video, name: "Renamed" }
      assert.strictEqual((yield* tell(stranger.far, stranger.alice, "Update", renamed))?.state, "refused")
      const neighbour = far.actor("neighbour")
      yield* tell(far, neighbour, "Update", { ...renamed, attributedTo: [neighbour.url] })
      yield* tell(far, neighbour, "Update", renamed)
      assert.deepStrictEqual(yield* kept, [{ name: "From afar" }])
      assert.deepStrictEqual(yield* tell(far, alice, "Update", renamed), applied)
      assert.deepStrictEqual(yield* kept, [{ name: "Renamed" }])
      // AP-04: a playlist in a channel that is not the sender's, of a neighbour and of another instance.
      const list = { type: "Playlist", id: `${far.origin}/lists/1`, name: "Mine", totalItems: 0, to: [publicly] }
      const stolen = { ...list, attributedTo: [channel.url], uuid: randomUUID(), published: video.published }
      assert.strictEqual((yield* tell(far, neighbour, "Create", stolen))?.state, "refused")
      const abroad = { ...stolen, id: `${stranger.far.origin}/lists/1` }
      stranger.far.serve("/lists/1", abroad)
      assert.strictEqual((yield* tell(stranger.far, stranger.alice, "Create", abroad))?.state, "refused")
      assert.deepStrictEqual(yield* sql`select 1 from video_playlist where name = 'Mine'`, [])
      // Ours are never changed from outside.
      const own = yield* addVideo({ owner: "owner" })
      assert.strictEqual((yield* tell(far, alice, "Update", { ...video, id: oursOf(own.uuid) }))?.state, "refused")
      assert.strictEqual((yield* tell(far, alice, "Delete", oursOf(own.uuid)))?.state, "refused")
      assert.strictEqual((yield* send(`/api/v1/videos/${own.uuid}`)).json.name, "Video of owner")

      assert.strictEqual((yield* tell(stranger.far, stranger.alice, "Delete", video.id))?.state, "refused")
      assert.strictEqual((yield* tell(far, neighbour, "Delete", video.id))?.state, "refused")
      assert.deepStrictEqual(yield* kept, [{ name: "Renamed" }])
      // Whoever calls itself an instance stands for it once it is followed as one.
      const app = far.actor("peertube", { type: "Application" })
      assert.strictEqual((yield* tell(far, app, "Delete", video.id))?.state, "refused")
      const bot = far.actor("bot", { type: "Service" })
      assert.strictEqual((yield* tell(far, bot, "Delete", video.id))?.state, "refused")
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select o.id, c.id, 'accepted' from actor o, actor c
        where o.url = ${`${ours}/accounts/owner`} and c.url in (${app.url}, ${bot.url})`
      assert.strictEqual((yield* tell(far, bot, "Delete", video.id))?.state, "refused")
      assert.deepStrictEqual(yield* tell(far, app, "Delete", video.id), applied)
      yield* sql`delete from actor_follow f using actor c where c.id = f.target_actor_id and c.url in (${app.url}, ${bot.url})`
      assert.deepStrictEqual(yield* kept, [])
      assert.deepStrictEqual(yield* tell(far, channel, "Create", renamed), applied)
      assert.strictEqual((yield* kept).length, 1)
      assert.deepStrictEqual(yield* tell(far, alice, "Delete", video.id, { id: `${video.id}/delete` }), applied)
      assert.deepStrictEqual(yield* kept, [])
      // It is published again, under the ids of before.
      far.serve(new URL(video.id).pathname, renamed)
      assert.deepStrictEqual(yield* tell(far, channel, "Create", renamed, { id: `${video.id}/activity` }), applied)
      assert.strictEqual((yield* kept).length, 1)
      assert.deepStrictEqual(
        yield* tell(far, alice, "Delete", video.id, { id: `${video.id}/delete`, again: 1 }),
        applied
      )
      assert.deepStrictEqual(yield* kept, [])
      // What is not theirs to say is asked where it is: a Create of another origin's video.
      const lie = { ...stranger.video, name: "A lie" }
      const notAsked = refused("it belongs to another actor, and nobody here follows the sender")
      assert.deepStrictEqual(yield* tell(far, alice, "Create", lie), notAsked)
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select o.id, c.id, 'accepted' from actor o, actor c where o.url = ${`${ours}/accounts/owner`} and c.url = ${channel.url}`
      assert.deepStrictEqual(yield* tell(far, alice, "Create", lie), applied)
      const [theirs] = yield* sql`select name from video where url = ${stranger.video.id}`
      assert.deepStrictEqual(theirs, { name: "From afar" })
    })
  )

  it.effect(
    "comments: written, changed, deleted, announced by a group; approval of ours by whom the video belongs to",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { alice, channel, far, video: theirs } = yield* farInstance
        const bob = far.actor("bob")
        const video = yield* addVideo({ owner: "owner" })
        const note = (id: string, content: string, author = alice.url) => ({
          type: "Note",
          id: `${far.origin}/notes/${id}`,
          content: `<p>${content}</p>`,
          inReplyTo: oursOf(video.uuid),
          attributedTo: author,
          published: "2026-01-01T00:00:00.000Z",
          to: [publicly],
          cc: [],
          tag: []
        })
        const texts = Effect.map(
          sql<{
            text: string
          }>`select text from video_comment where video_id = ${video.id} and deleted_at is null order by id`,
          (rows) => rows.map((row) => row.text)
        )
        far.serve("/notes/1", note("1", "first"))
        assert.deepStrictEqual(yield* tell(far, alice, "Create", note("1", "first")), applied)
        assert.deepStrictEqual(yield* tell(far, alice, "Update", note("1", "second")), applied)
        assert.deepStrictEqual(yield* texts, ["second"])
        assert.strictEqual((yield* tell(far, bob, "Delete", note("1", "").id))?.state, "refused")
        // A group passes it on (FEP-1b12): known already, nothing is said twice.
        far.serve("/notes/2", note("2", "passed on", bob.url))
        const inner = far.activity(bob, "Create", note("2", "a lie", bob.url))
        assert.deepStrictEqual(yield* tell(far, channel, "Announce", inner), applied)
        assert.deepStrictEqual(yield* texts, ["second", "passed on"])
        const [counted] = yield* sql`select comments from video where id = ${video.id}`
        assert.deepStrictEqual(counted, { comments: 2 })
        assert.deepStrictEqual(yield* tell(far, alice, "Delete", { type: "Tombstone", id: note("1", "").id }), applied)
        assert.deepStrictEqual(yield* texts, ["passed on"])

        // Somebody whom we follow passes on what a third one said: it is asked for where it is, and nothing else is believed (AP-22).
        const third = yield* farInstance
        const forwarded = (type: string, object: unknown) =>
          Effect.gen(function* () {
            const activity = {
              ...third.far.activity(third.alice, type, object),
              signature: { type: "RsaSignature2017" }
            }
            const answer = yield* far.send(alice, JSON.stringify(activity))
            return { status: answer.status, row: yield* settled(`${alice.url} forwards ${activity.id}`) }
          })
        const said = { ...note("3", "a lie", third.alice.url), id: `${third.far.origin}/notes/3` }
        third.far.serve("/notes/3", { ...said, content: "what was said" })
        const unrelated = { ...said, inReplyTo: `${third.far.origin}/notes/8` }
        const noUse = refused("nobody here follows who passes it on, and it is about nothing here")
        assert.deepStrictEqual((yield* forwarded("Create", unrelated)).row, noUse)
        assert.deepStrictEqual((yield* forwarded("Create", { ...said, inReplyTo: third.video.id })).row, noUse)
        assert.deepStrictEqual(yield* texts, ["passed on"])
        // Below a video of ours it is of use, whoever tells of it.
        assert.deepStrictEqual((yield* forwarded("Create", said)).row, applied)
        assert.deepStrictEqual(yield* texts, ["passed on", "what was said"])
        third.far.serve("/notes/3", { ...said, content: "what was said then" })
        assert.deepStrictEqual((yield* forwarded("Update", { ...said, inReplyTo: undefined })).row, applied)
        assert.deepStrictEqual(yield* texts, ["passed on", "what was said then"])
        yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select o.id, c.id, 'accepted' from actor o, actor c where o.url = ${`${ours}/accounts/owner`} and c.url = ${channel.url}`
        const elsewhere = { ...said, id: `${third.far.origin}/notes/4`, inReplyTo: `${third.far.origin}/notes/8` }
        third.far.serve("/notes/4", elsewhere)
        assert.strictEqual((yield* forwarded("Create", elsewhere)).row?.state, "refused")
        assert.include(third.far.asked, "/notes/4")
        // That its origin does not answer is no end of it.
        third.far.serve("/notes/3", {}, 503)
        assert.strictEqual((yield* forwarded("Delete", said.id)).row?.state, "waiting")
        third.far.serve("/notes/3", { ...said, content: "what was said then" })
        assert.deepStrictEqual((yield* forwarded("Delete", said.id)).row, applied)
        assert.strictEqual((yield* texts).length, 2)
        third.far.serve("/notes/3", {}, 410)
        assert.deepStrictEqual((yield* forwarded("Delete", said.id)).row, applied)
        assert.deepStrictEqual(yield* texts, ["passed on"])
        assert.strictEqual((yield* forwarded("Like", said.id)).status, 403)
        assert.strictEqual((yield* forwarded("Update", oursOf(video.uuid))).status, 403)

        // Whom a video belongs to takes down what is below it, whoever wrote it; nobody else does.
        yield* tell(far, channel, "Announce", theirs.id)
        const below = { ...said, id: `${third.far.origin}/notes/5`, inReplyTo: theirs.id }
        third.far.serve("/notes/5", below)
        assert.deepStrictEqual(yield* tell(third.far, third.alice, "Create", below), applied)
        yield* sql`
        insert into video_comment (url, video_id, account_id, text) select ${`${ours}/c/9`}, v.id, o.id, 'ours'
        from video v, account o join actor a on a.id = o.actor_id where v.url = ${theirs.id} and a.url = ${`${ours}/accounts/owner`}`
        const stands = sql`select m.url from video_comment m join video v on v.id = m.video_id
        where v.url = ${theirs.id} and m.deleted_at is null order by m.id`
        for (const url of [below.id, `${ours}/c/9`]) {
          assert.strictEqual((yield* tell(far, bob, "Delete", url))?.state, "refused")
          assert.strictEqual((yield* stands).length, url === below.id ? 2 : 1)
          // The first as PeerTube says it: under the name of what is elsewhere.
          if (url !== below.id) {
            assert.deepStrictEqual(yield* tell(far, alice, "Delete", url), applied)
            continue
          }
          const gone = far.activity(channel, "Delete", url, { id: `${url}/delete` })
          assert.strictEqual((yield* far.send(channel, JSON.stringify(gone))).status, 204)
          assert.deepStrictEqual(yield* settled(`${channel.url} deletes ${url}`), applied)
        }
        assert.deepStrictEqual(yield* stands, [])
        // It does not come again by being said again.
        assert.strictEqual((yield* tell(third.far, third.alice, "Update", below))?.state, "refused")
        assert.strictEqual((yield* tell(far, alice, "Delete", below.inReplyTo + "/comments/1"))?.state, "applied")

        // A comment of ours on a video of theirs, held until they approve it.
        const ourComment = (nth: number) => sql<{ url: string }>`
        insert into video_comment (url, video_id, account_id, text, held_for_review, shown)
        select ${`${ours}/c/${nth}`}, v.id, o.id, 'ours', true, false from video v, account o join actor a on a.id = o.actor_id
        where v.url = ${theirs.id} and a.url = ${`${ours}/accounts/owner`} returning url`
        const [held] = yield* ourComment(1)
        const [doomed] = yield* ourComment(2)
        assert.deepStrictEqual(
          yield* tell(far, bob, "ApproveReply", held!.url),
          refused("the video is not the sender's")
        )
        const id = `${held!.url.replace(ours, far.origin)}/approve-reply`
        assert.deepStrictEqual(
          yield* tell(far, alice, "ApproveReply", held!.url, { id, inReplyTo: theirs.id }),
          applied
        )
        assert.deepStrictEqual(yield* tell(far, alice, "RejectReply", held!.url), applied)
        assert.deepStrictEqual(yield* tell(far, alice, "RejectReply", doomed!.url), applied)
        const left = yield* sql`select url, held_for_review as held, reply_approval_url as by from video_comment
        where url like ${`${ours}/c/%`} and deleted_at is null`
        assert.deepStrictEqual(left, [{ url: held!.url, held: false, by: id }])
      })
  )

  it.effect("views, viewers, downloads and watched parts count within bounds, told by whom they concern (AP-27)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const upkeep = yield* InboxUpkeep
      const { alice, channel, far, video: theirs } = yield* farInstance
      const stranger = yield* farInstance
      const video = yield* addVideo({ owner: "owner" })
      yield* tell(far, channel, "Announce", theirs.id)
      const later = "2100-01-01T00:00:00Z"
      const counter = (userInteractionCount: unknown) => ({
        type: "InteractionCounter",
        interactionType: "WatchAction",
        userInteractionCount
      })
      const url = oursOf(video.uuid)
      assert.deepStrictEqual(yield* tell(far, alice, "View", url), applied)
      assert.deepStrictEqual(yield* tell(far, alice, "Download", url), applied)
      assert.deepStrictEqual(yield* tell(far, alice, "View", url, { expires: later }), applied)
      assert.deepStrictEqual(
        yield* tell(far, alice, "View", url, { expires: later, result: counter(9_999_999) }),
        applied
      )
      assert.strictEqual(
        (yield* tell(far, alice, "View", url, { expires: later, result: counter(-1) }))?.state,
        "refused"
      )
      assert.strictEqual(
        (yield* tell(far, alice, "View", url, { expires: later, result: counter(1e12) }))?.state,
        "refused"
      )
      assert.deepStrictEqual(
        yield* tell(far, alice, "View", url, { expires: "2000-01-01T00:00:00Z" }),
        refused("it is over")
      )
      assert.deepStrictEqual(
        yield* tell(far, alice, "View", theirs.id, { expires: later, result: counter(40) }),
        applied
      )
      const notTheirs = refused("only its own instance reports on it")
      const liar = stranger.far
      assert.deepStrictEqual(
        yield* tell(liar, stranger.alice, "View", theirs.id, { expires: later, result: counter(5) }),
        notTheirs
      )
      assert.deepStrictEqual(yield* tell(liar, stranger.alice, "View", theirs.id), notTheirs)
      assert.deepStrictEqual(yield* tell(liar, stranger.alice, "Download", theirs.id), notTheirs)
      yield* upkeep.settleViewers
      const counts = (of: string) => sql`
        select v.views, v.downloads, n.viewers + n.remote as viewers
          from video v join video_viewers n on n.video_id = v.id where v.url = ${of}`
      // Two viewers of ours by their ids, whatever they say their number is.
      assert.deepStrictEqual(yield* counts(url), [{ views: 1, downloads: 1, viewers: 2 }])
      assert.deepStrictEqual(yield* counts(theirs.id), [{ views: 3, downloads: 0, viewers: 40 }])

      const now = yield* Clock.currentTimeMillis
      const watch = {
        type: "WatchAction",
        id: `${far.origin}/watch/1`,
        object: url,
        startTime: isoOf(now - 60_000),
        endTime: isoOf(now),
        watchSections: [
          { startTimestamp: 0, endTimestamp: 2 },
          { startTimestamp: -5, endTimestamp: 1e9 }
        ]
      }
      assert.deepStrictEqual(yield* tell(far, alice, "Create", watch), applied)
      for (const [startTime, endTime] of [
        ["2020-01-01T00:00:00.000Z", watch.endTime],
        [watch.startTime, "2999-01-01T00:00:00.000Z"],
        [watch.endTime, watch.startTime],
        [isoOf(now - 2 * 86_400_000), watch.endTime]
      ]) {
        const when = yield* tell(far, alice, "Create", { ...watch, startTime, endTime })
        assert.deepStrictEqual(when, refused("not a time it could have been watched at"))
      }
      const seen = yield* sql`select watch_time as time from video_viewing where video_id = ${video.id}`
      assert.deepStrictEqual(seen, [{ time: 2 }])
    })
  )

  it.effect("actors change and go, playlists and looks of players come", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { alice, channel, far, video: theirs } = yield* farInstance
      yield* tell(far, channel, "Announce", theirs.id)
      const document = (name: string) => ({
        type: "Person",
        id: alice.url,
        preferredUsername: "alice",
        name,
        url: alice.url,
        inbox: `${alice.url}/inbox`,
        publicKey: { id: `${alice.url}#main-key`, owner: alice.url, publicKeyPem: "" }
      })
      const name = sql`select o.display_name as name from account o join actor a on a.id = o.actor_id where a.url = ${alice.url}`
      const mallory = far.actor("mallory")
      yield* tell(far, mallory, "Update", document("Stolen"))
      assert.deepStrictEqual(yield* name, [{ name: "alice" }])
      const settings = (theme: string) => ({
        type: "PlayerSettings",
        id: `${theirs.id}/player-settings`,
        object: theirs.id,
        theme
      })
      assert.deepStrictEqual(yield* tell(far, alice, "Update", settings("lucide")), applied)
      assert.strictEqual((yield* tell(far, mallory, "Update", settings("galaxy")))?.state, "refused")
      assert.strictEqual((yield* tell(far, alice, "Update", settings("<b>")))?.state, "refused")
      const ofChannel = { ...settings("galaxy"), id: `${channel.url}/player-settings`, object: channel.url }
      assert.strictEqual((yield* tell(far, mallory, "Update", ofChannel))?.state, "refused")
      assert.deepStrictEqual(yield* tell(far, alice, "Update", ofChannel), applied)
      assert.deepStrictEqual(yield* tell(far, channel, "Update", { ...ofChannel, theme: "lucide" }), applied)
      const themes = yield* sql`select player_theme as theme from video where url = ${theirs.id}`
      assert.deepStrictEqual(themes, [{ theme: "lucide" }])

      // A Move that the other side knows of.
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select o.id, c.id, 'accepted', ${`${ours}/moving`} from actor o, actor c
        where o.url = ${`${ours}/accounts/owner`} and c.url = ${alice.url}`
      const home = yield* farInstance
      const followed = sql<{ url: string; state: string }>`
        select t.url, f.state from actor_follow f join actor a on a.id = f.actor_id join actor t on t.id = f.target_actor_id
        where a.url = ${`${ours}/accounts/owner`} and t.url in (${alice.url}, ${home.alice.url})`
      const unknown = refused("where it moves to does not know of it")
      assert.deepStrictEqual(yield* tell(far, alice, "Move", alice.url, { target: home.alice.url }), unknown)
      const moved = home.far.actor("alice", { alsoKnownAs: [alice.url] })
      assert.deepStrictEqual(yield* tell(far, alice, "Move", alice.url, { target: moved.url, again: 1 }), applied)
      assert.deepStrictEqual(yield* followed, [{ url: moved.url, state: "pending" }])
      assert.deepStrictEqual(
        yield* tell(far, alice, "Move", alice.url, { target: moved.url, again: 2 }),
        refused("it moved within a day already")
      )

      // Who goes takes all of theirs along.
      assert.strictEqual((yield* tell(far, mallory, "Delete", alice.url))?.state, "refused")
      assert.deepStrictEqual(yield* tell(far, alice, "Delete", alice.url), applied)
      assert.deepStrictEqual(yield* sql`select 1 from actor where url = ${alice.url}`, [])
      assert.deepStrictEqual(yield* sql`select 1 from video where url = ${theirs.id}`, [])
    })
  )
})
