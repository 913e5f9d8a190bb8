import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Schedule } from "effect"
import type { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import type { InboxRows } from "@kinora/storage/federation/inbox/InboxRows"
import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { InboxHosts } from "../../../src/federation/inbox/InboxHosts.ts"
import { MutedSenders } from "../../../src/federation/inbox/MutedSenders.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { applied, farInstance, oursOf, publicly, refused, tell } from "./FarInstance.ts"
import { farPeer, ours } from "./FarPeer.ts"
import { inboxNode, settled } from "./InboxNode.ts"
import { type FarInstance, keptOf, mixOf, waitTogether, word } from "./SentTogether.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    users.create({ username: "owner", email: "owner@example.com", password: "password1", role: 2 })
  )
)

layer(Layer.merge(people, ReadModelRefresher.layer).pipe(Layer.provideMerge(inboxNode())), {
  excludeTestServices: true,
  timeout: "60 seconds"
})("Inbox hosts", (it) => {
  it.effect("what cannot be had now is tried again, and those behind it do not wait", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const hosts = yield* InboxHosts
      const far = yield* farPeer
      const alice = far.actor("alice")
      const channel = far.actor("films", { type: "Group", attributedTo: alice.url })
      const mine = yield* addVideo({ owner: "owner" })
      far.serve("/videos/watch/1", {}, 503)
      const announce = far.activity(channel, "Announce", `${far.origin}/videos/watch/1`)
      assert.strictEqual((yield* far.send(channel, JSON.stringify(announce))).status, 204)
      assert.strictEqual((yield* far.post(alice, "View", `${ours}/videos/watch/${mine.uuid}`)).status, 204)
      const waiting = yield* settled(announce.id)
      assert.strictEqual(waiting?.state, "waiting")
      assert.include(waiting?.error ?? "", "/videos/watch/1")
      const [viewed] = yield* sql`select views from video where id = ${mine.id}`
      assert.deepStrictEqual(viewed, { views: 1 })

      far.serve("/videos/watch/1", {
        type: "Video",
        id: `${far.origin}/videos/watch/1`,
        name: "Late",
        duration: "PT5S",
        attributedTo: [alice.url, channel.url],
        to: ["https://www.w3.org/ns/activitystreams#Public"],
        url: [{ type: "Link", mediaType: "video/mp4", href: `${far.origin}/v.mp4`, height: 360, size: 1, fps: 25 }]
      })
      yield* sql`update inbox_activity set not_before = now() where uri = ${announce.id}`
      const done = sql<{ state: string; error: string | null; attempts: number }>`
          select state, error, attempts from inbox_activity where uri = ${announce.id}`
      // The host itself is asked no sooner than it may be: until then the row is put off again.
      yield* Effect.gen(function* () {
        yield* sql`update inbox_activity set not_before = now() where uri = ${announce.id} and state = 'waiting'`
        yield* hosts.wake(new URL(far.origin).host)
        return yield* done
      }).pipe(
        Effect.repeat({ until: (rows) => rows[0]!.state === "applied", schedule: Schedule.spaced("100 millis") }),
        Effect.timeout("20 seconds")
      )
      const [row] = yield* done
      assert.strictEqual(row?.error, null)
      assert.isAtLeast(row?.attempts ?? 0, 1)

      // After the last try the row keeps why.
      far.serve("/videos/watch/2", {}, 503)
      const hopeless = far.activity(channel, "Announce", `${far.origin}/videos/watch/2`)
      yield* far.send(channel, JSON.stringify(hopeless))
      yield* settled(hopeless.id)
      yield* sql`update inbox_activity set attempts = 7, not_before = null where uri = ${hopeless.id}`
      yield* hosts.wake(new URL(far.origin).host)
      const end = yield* settled(hopeless.id)
      assert.strictEqual(end?.state, "refused")
      assert.include(end?.error ?? "", "/videos/watch/2")
    })
  )

  it.effect("Creates that wait together come to the same as each of them alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const published = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { hours: 1 }))
      const totals = Effect.gen(function* () {
        while ((yield* (yield* ReadModelRefresher).refresh(100)) > 0);
        const [row] = yield* sql<{ uses: number; videos: number; kinds: number; told: number }>`
            select coalesce((select uses from search_word where search_word.word = ${word}), 0) as uses,
              (select coalesce(sum(change), 0)::integer from video_total) as videos,
              (select coalesce(sum(count), 0)::integer from video_count) as kinds,
              (select count(*)::integer from notification_event) as told`
        return row!
      })
      const run = Effect.fnUntraced(function* (
        send: (far: FarInstance, mix: ReturnType<typeof mixOf>) => Effect.Effect<void, unknown, never>
      ) {
        const far = yield* farInstance
        const mallory = far.far.actor("mallory")
        const mine = yield* addVideo({ owner: "owner" })
        // Who sends is known, and the channel is followed: by a user, and by the instance, which lists it.
        yield* tell(far.far, far.channel, "Announce", far.video.id)
        yield* tell(far.far, mallory, "Arrive", mallory.url)
        yield* sql`
            insert into actor_follow (actor_id, target_actor_id, state)
            select o.id, c.id, 'accepted' from actor o, actor c where o.url = any(${[`${ours}/accounts/owner`, `${ours}/accounts/peertube`]}::text[]) and c.url = ${far.channel.url}`
        const before = yield* totals
        yield* send(far, mixOf(far, mallory, oursOf(mine.uuid), published))
        const after = yield* totals
        const kept = JSON.stringify(yield* keptOf(far)).replaceAll(mine.uuid, "mine")
        const [{ comments }] = (yield* sql<{
          comments: number
        }>`select comments from video where id = ${mine.id}`) as [{ comments: number }]
        const changed = Object.fromEntries(Object.entries(after).map(([name, n]) => [name, n - before[name as "uses"]]))
        return { far, kept: JSON.parse(kept) as Array<Array<Record<string, unknown>>>, changed, comments }
      })
      const context = yield* Effect.context<InboxRows | InboxHosts | SqlClient | HttpServer.HttpServer>()
      const together = yield* run((far, mix) => Effect.provide(waitTogether(far, mix), context))
      const alone = yield* run((far, mix) =>
        Effect.forEach(mix, ([who, type, object]) => tell(far.far, who, type, object), { discard: true }).pipe(
          Effect.provide(context)
        )
      )
      assert.deepStrictEqual(together.kept, alone.kept)
      assert.deepStrictEqual([together.changed, together.comments], [alone.changed, alone.comments])
      const [videos, comments, rows] = alone.kept
      assert.deepStrictEqual(
        videos!.map(({ name }) => name),
        ["From afar", `${word} 3`, `${word} again`]
      )
      assert.deepInclude(videos![2], { visible: 2, announced: true, tags: ["sea", "wind"], comments: 2, has_hls: true })
      assert.deepStrictEqual(
        comments!.map(({ deleted, text }) => [text, deleted]),
        [...[1, 2, 3].map((nth) => [`said ${nth}`, false]), ["", true]]
      )
      assert.deepStrictEqual(
        rows!
          .filter(({ state }) => state !== "applied")
          .map(({ error }) => String(error).replace(/^.*?\/(?=\w+\/\d)/, "")),
        [
          "watch/2: Unreachable",
          "watch/4: gone: status 404",
          "notes/1: authority: of somebody else",
          "notes/4: document: a reply to nothing of ours",
          "notes/5: document: a comment of a channel",
          "watch/6: document: a video without name"
        ]
      )
      // They were written by one statement.
      const written = (far: FarInstance) => sql`
          select distinct r.xmin::text from remote_video r join video v on v.id = r.video_id
          where starts_with(v.url, ${far.far.origin}) and v.url <> ${far.video.id} and v.name <> ${`${word} again`}
          union select distinct c.xmin::text from video_comment c where c.url = ${`${far.far.origin}/notes/2`}`
      assert.deepStrictEqual([(yield* written(together.far)).length, (yield* written(alone.far)).length], [1, 2])

      // One that breaks something of ours has the others go on without it.
      const far = yield* farInstance
      yield* tell(far.far, far.channel, "Announce", far.video.id)
      yield* sql`alter table video add constraint broken check (name <> 'breaks')`
      const of = (name: string) => ({ ...far.video, uuid: undefined, id: `${far.video.id}-${name}`, name })
      const broken = ["good", "breaks", "better"].map((name) => [far.alice, "Create", of(name)] as const)
      yield* waitTogether(far, broken)
      const kept = yield* sql`select state, left(error, 26) as error from inbox_activity where type = 'Create'
          and host = ${new URL(far.far.origin).host} order by id`
      assert.deepStrictEqual(kept, [applied, { state: "waiting", error: "a mistake of this instance" }, applied])
      yield* sql`alter table video drop constraint broken`
      yield* sql`delete from inbox_activity where state = 'waiting'`
    })
  )

  it.effect("a row that breaks something of ours is put off, and the host goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farPeer
      const alice = far.actor("alice")
      const mine = yield* addVideo({ owner: "owner" })
      const url = `${ours}/videos/watch/${mine.uuid}`
      yield* sql`alter table remote_counting add constraint broken check (kind <> 'download')`
      const broken = far.activity(alice, "Download", url)
      yield* far.send(alice, JSON.stringify(broken))
      yield* far.post(alice, "Like", url)
      const row = yield* settled(broken.id)
      assert.strictEqual(row?.state, "waiting")
      assert.include(row?.error ?? "", "a mistake of this instance")
      const [counts] = yield* sql`select likes, downloads from video where id = ${mine.id}`
      assert.deepStrictEqual(counts, { likes: 1, downloads: 0 })
      yield* sql`alter table remote_counting drop constraint broken`
      yield* sql`update inbox_activity set not_before = null where uri = ${broken.id}`
      yield* (yield* InboxHosts).wake(new URL(far.origin).host)
      assert.strictEqual((yield* settled(broken.id))?.state, "applied")
      const [after] = yield* sql`select likes, downloads from video where id = ${mine.id}`
      assert.deepStrictEqual(after, { likes: 1, downloads: 1 })
    })
  )

  it.effect("many hosts that rate one video wait for it over one connection", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mine = yield* addVideo({ owner: "owner" })
      const other = yield* addVideo({ owner: "owner" })
      const url = `${ours}/videos/watch/${mine.uuid}`
      const fars = yield* Effect.all(Array.from({ length: 6 }, () => farPeer))
      const senders = fars.map((far) => [far, far.actor("alice")] as const)
      // Ratings of people who are known are written many at a time.
      for (const [far, alice] of senders) yield* tell(far, alice, "Like", `${ours}/videos/watch/${other.uuid}`)
      const waiting = sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      const likes = senders.map(([far, alice]) => [far, alice, far.activity(alice, "Like", url)] as const)
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`select id from video where id = ${mine.id} for update`
          for (const [far, alice, like] of likes) yield* far.send(alice, JSON.stringify(like))
          yield* Effect.repeat(waiting, { until: ([row]) => row!.n === 1, schedule: Schedule.spaced("20 millis") })
          // Those of the others wait for it, and for no lock.
          for (let looks = 0; looks < 50; looks++)
            assert.deepStrictEqual(yield* Effect.delay(waiting, "20 millis"), [{ n: 1 }])
        })
      )
      for (const [, , like] of likes) assert.deepStrictEqual(yield* settled(like.id), applied)
      assert.deepStrictEqual(yield* sql`select likes from video where id = ${mine.id}`, [{ likes: 6 }])
    })
  )

  it.effect("a statement that always takes too long is a try, and lets those behind it pass", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farPeer
      const alice = far.actor("alice")
      const mine = yield* addVideo({ owner: "owner" })
      const url = `${ours}/videos/watch/${mine.uuid}`
      yield* sql`create function too_long() returns trigger language plpgsql as
          $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`
      yield* sql`create trigger too_long before insert on remote_counting for each row
          when (new.kind = 'download') execute function too_long()`
      yield* sql`create trigger too_long before insert on account_video_rate for each row execute function too_long()`
      const endless = far.activity(alice, "Download", url)
      const rating = far.activity(alice, "Like", url)
      yield* far.send(alice, JSON.stringify(endless))
      yield* far.send(alice, JSON.stringify(rating))
      yield* far.post(alice, "View", url)
      const late = { state: "waiting", error: "its change took too long" }
      assert.deepStrictEqual(yield* settled(endless.id), late)
      assert.deepStrictEqual(yield* settled(rating.id), late)
      assert.deepStrictEqual(yield* sql`select views from video where id = ${mine.id}`, [{ views: 1 }])
      yield* sql`drop function too_long cascade`
    })
  )

  it.effect("what waited is held against what is so by then: gone, taken back, muted, or somebody else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const hosts = yield* InboxHosts
      const far = yield* farPeer
      const alice = far.actor("alice")
      const bob = far.actor("bob")
      const host = new URL(far.origin).host
      far.serve("/videos/watch/1", {}, 503)
      const note = { type: "Note", id: `${far.origin}/notes/1`, inReplyTo: `${far.origin}/videos/watch/1` }
      const create = far.activity(alice, "Create", {
        ...note,
        content: "text",
        attributedTo: alice.url,
        to: ["https://www.w3.org/ns/activitystreams#Public"]
      })
      const announce = far.activity(alice, "Announce", `${far.origin}/videos/watch/1`)
      const others = far.activity(bob, "Announce", note.id)
      for (const [who, what] of [
        [alice, create],
        [alice, announce],
        [bob, others]
      ] as const) {
        if (what === others) far.serve("/notes/1", {}, 503)
        assert.strictEqual((yield* far.send(who, JSON.stringify(what))).status, 204)
        assert.strictEqual((yield* settled(what.id))?.state, "waiting")
      }
      yield* far.post(alice, "Undo", announce.id)
      yield* far.post(alice, "Delete", note.id)
      const takenBack = { state: "refused", error: "taken back before it was applied" }
      yield* settled()
      assert.deepStrictEqual(yield* settled(create.id), takenBack)
      assert.deepStrictEqual(yield* settled(announce.id), takenBack)
      assert.strictEqual((yield* settled(others.id))?.state, "waiting")

      yield* sql`insert into account_block (account_id, target_account_id) select i.id, o.id from account o
          join actor a on a.id = o.actor_id, account i join actor p on p.id = i.actor_id
          where a.url = ${bob.url} and p.server_id is null and p.type = 'Application'`
      yield* Effect.flatMap(Effect.service(MutedSenders), (muted) => muted.renew)
      yield* sql`update inbox_activity set not_before = null where uri = ${others.id}`
      yield* hosts.wake(host)
      assert.deepStrictEqual(yield* settled(others.id), { state: "refused", error: "the sender is muted" })

      // An address that has come to lead to another actor of its origin.
      far.alias("/accounts/carol", "/accounts/alice")
      const carol = `${far.origin}/accounts/carol`
      yield* sql`insert into inbox_activity ${sql.insert({
        uri: `${far.origin}/led`,
        type: "Follow",
        host,
        actor_url: carol,
        object: `${ours}/accounts/owner`,
        body: JSON.stringify({
          id: `${far.origin}/led`,
          type: "Follow",
          actor: carol,
          object: `${ours}/accounts/owner`
        })
      })}`
      yield* hosts.wake(host)
      assert.deepStrictEqual(yield* settled(`${far.origin}/led`), {
        state: "refused",
        error: "the sender's address leads to another actor"
      })
    })
  )

  it.effect("hosts whose activities wait for others hold up nobody; who speaks is delivered to again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const hosts = yield* InboxHosts
      const far = yield* farPeer
      const slow = yield* farPeer
      const mine = yield* addVideo({ owner: "owner" })
      const alice = far.actor("alice")
      const names = Array.from({ length: 70 }, (_, nth) => `slow${nth}.example`)
      for (const name of names) {
        const actor = `${slow.origin}/accounts/${name}`
        slow.serve(`/accounts/${name}`, {}, 0)
        const body = JSON.stringify({ id: `${slow.origin}/${name}`, type: "Follow", actor, object: ours })
        yield* sql`insert into inbox_activity (uri, type, host, actor_url, body)
            values (${`${slow.origin}/${name}`}, 'Follow', ${name}, ${actor}, ${body}::jsonb)`
        yield* hosts.wake(name)
      }
      const host = new URL(far.origin).host
      yield* sql`insert into delivery_host (host, rest_until) values (${host}, now() + interval '1 day')`
      const view = far.activity(alice, "View", `${ours}/videos/watch/${mine.uuid}`)
      yield* far.send(alice, JSON.stringify(view))
      const until = (query: Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
        query.pipe(
          Effect.repeat({ until: (rows) => rows.length > 0, schedule: Schedule.spaced("50 millis") }),
          Effect.timeout("20 seconds")
        )
      yield* until(sql`select 1 from inbox_activity where uri = ${view.id} and state = 'applied'`)
      yield* until(sql`select 1 from delivery_host where host = ${host} and rest_until is null`)
      assert.isAbove(
        (yield* sql`select 1 from inbox_activity where state = 'waiting' and not_before is null`).length,
        0
      )
      yield* sql`delete from inbox_activity where host = any(${names}::text[])`
    })
  )

  it.effect("reports are kept once, of what is ours alone, and moderators are told (AP-26)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { alice, channel, far, video: theirs } = yield* farInstance
      yield* tell(far, channel, "Announce", theirs.id)
      const video = yield* addVideo({ owner: "owner" })
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      const url = oursOf(video.uuid)
      const note = {
        ...{ type: "Note", id: `${far.origin}/notes/9`, content: "rude", inReplyTo: url, attributedTo: alice.url },
        ...{ published: "2026-01-01T00:00:00.000Z", to: [publicly], cc: [], tag: [] }
      }
      assert.deepStrictEqual(yield* tell(far, alice, "Create", note), applied)
      const rows = sql<Record<string, unknown>>`
        select b.kind, b.state, b.reason, b.predefined_reasons as reasons, b.start_at as start, b.end_at as "end",
          r.url as reporter, f.url as flagged, b.target - 'id' - 'videoId' - 'threadId' - 'channelId' as target
        from abuse b left join account ro on ro.id = b.reporter_account_id left join actor r on r.id = ro.actor_id
          left join account fo on fo.id = b.flagged_account_id left join actor f on f.id = fo.actor_id order by b.id`
      const nothing = refused("nothing of ours, or reported already")
      for (const object of [
        theirs.id,
        theirs.attributedTo,
        oursOf(hidden.uuid),
        `${ours}/accounts/peertube`,
        "https://x.example/"
      ])
        assert.deepStrictEqual(yield* tell(far, alice, "Flag", object), nothing)
      assert.deepStrictEqual(yield* tell(far, channel, "Flag", url), refused("channels report nothing"))
      assert.deepStrictEqual(yield* rows, [])

      const said = { id: `${alice.url}/flags/1`, content: "x".repeat(4_000), startAt: 3, endAt: "9" }
      const tag = ["privacy", "captions", "privacy", "constructor"].map((name) => ({ type: "Hashtag", name }))
      assert.deepStrictEqual(yield* tell(far, alice, "Flag", url, { ...said, tag }), applied)
      // Its id is known: whatever its bytes.
      yield* tell(far, alice, "Flag", url, { ...said, content: "again" })
      const owner = `${ours}/accounts/owner`
      const ofVideo = {
        ...{
          kind: "video",
          state: 1,
          reason: "x".repeat(3_000),
          reasons: [4, 8],
          start: 3,
          end: 9,
          reporter: alice.url
        },
        ...{ flagged: owner, target: { uuid: video.uuid, name: "Video of owner", nsfw: false } }
      }
      assert.deepStrictEqual(yield* rows, [ofVideo])

      // As Mastodon does: several things at once, by the actor of the instance; and as older instances do, in a Create.
      const app = far.actor("peertube", { type: "Application" })
      const several = [`${ours}/video-channels/owner_channel`, note.id, note.id, theirs.id]
      assert.deepStrictEqual(yield* tell(far, app, "Flag", several), applied)
      const wrapped = { type: "Flag", id: `${alice.url}/f`, actor: alice.url, content: "old", object: [url] }
      assert.deepStrictEqual(yield* tell(far, alice, "Create", wrapped), applied)
      const plain = { state: 1, reason: "", reasons: [], start: null, end: null, reporter: app.url }
      assert.deepStrictEqual(yield* rows, [
        ofVideo,
        {
          ...plain,
          kind: "account",
          flagged: owner,
          target: { name: "owner", displayName: "owner", channel: "owner_channel" }
        },
        {
          ...{ ...plain, kind: "comment", flagged: alice.url },
          target: { text: "rude", uuid: video.uuid, name: "Video of owner" }
        },
        { ...ofVideo, ...plain, reporter: alice.url, reason: "old" }
      ])
      assert.deepStrictEqual(yield* sql`select count(*)::integer as n from notification_event where tag = 'NewAbuse'`, [
        { n: 4 }
      ])

      // Ten of one report, three of one thing that nobody has decided on, thirty an hour.
      assert.deepStrictEqual(yield* tell(far, alice, "Flag", url), applied)
      assert.deepStrictEqual(yield* tell(far, alice, "Flag", url), nothing)
      const many = [...Array.from({ length: 10 }, (_, n) => `https://x.example/${n}`), owner]
      assert.deepStrictEqual(yield* tell(far, alice, "Flag", many), nothing)
      const [far51] = [
        far.activity(
          alice,
          "Flag",
          Array.from({ length: 51 }, () => url)
        )
      ]
      assert.strictEqual((yield* far.send(alice, JSON.stringify(far51))).status, 403)
      yield* sql`
        insert into abuse (reason, reporter_account_id, kind, target, url)
        select '', a.reporter_account_id, 'account', jsonb_build_object('id', n), 'u' || n
        from abuse a, generate_series(1, 30) n where a.reason = 'old'`
      assert.deepStrictEqual(yield* tell(far, alice, "Flag", owner), refused("too many reports within an hour"))

      // Who did nothing is forgotten in time, who reported is not.
      yield* far.post(far.actor("nobody"), "Arrive", `${far.origin}/x`)
      yield* settled()
      const upkeep = yield* InboxUpkeep
      const known = sql`select 1 from actor where url = any(${[alice.url, channel.url, `${far.origin}/accounts/nobody`]})`
      yield* upkeep.forgetUnusedActors(30)
      assert.strictEqual((yield* known).length, 3)
      yield* sql`update remote_actor set fetched_at = now() - interval '31 days'`
      assert.isAbove(yield* upkeep.forgetUnusedActors(30), 0)
      assert.strictEqual((yield* known).length, 2)

      // What was reported is known when it is gone; who reported may go too.
      yield* tell(far, alice, "Delete", note.id)
      yield* sql`delete from video where id = ${video.id}`
      const left = yield* sql`
        select kind, video_id as video, comment_id as comment, target ->> 'name' as name from abuse
        where kind <> 'account' order by id limit 2`
      const gone = { video: null, comment: null, name: "Video of owner" }
      assert.deepStrictEqual(left, [
        { kind: "video", ...gone },
        { kind: "comment", ...gone }
      ])
    })
  )
})
