import { assert, layer } from "@effect/vitest"
import { signRequest } from "@kinora/federation/signatures/SignRequest"
import { toMultibase } from "@kinora/federation/signatures/PublicKeys"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash, generateKeyPairSync } from "node:crypto"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import { InboxBacklog, InboxBounds, usualBounds } from "../../../src/federation/inbox/InboxBacklog.ts"
import { MutedSenders } from "../../../src/federation/inbox/MutedSenders.ts"
import { send as read } from "../../instance/about/Client.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { farPeer, ours } from "./FarPeer.ts"
import { inboxNode, settled } from "./InboxNode.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    users.create({ username: "owner", email: "owner@example.com", password: "password1", role: 2 })
  )
)

const bounds = Layer.succeed(InboxBounds, { ...usualBounds, strangerCount: 60, hostCount: 80 })
const limits = { activity_pub: { max: 600, windowMillis: 3_600_000 } }
const node = people.pipe(Layer.provideMerge(inboxNode({}, undefined, limits))).pipe(Layer.provide(bounds))

const digestOf = (text: string) => `SHA-256=${createHash("sha256").update(text).digest("base64")}`

const rowCount = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ n: number }>`select count(*) as n from inbox_activity`
  return rows[0]!.n
})

layer(node, { excludeTestServices: true, timeout: "60 seconds" })("Inbox checks", (it) => {
  it.effect("takes what is signed by its actor, from whoever it is, and says why it takes nothing else", () =>
    Effect.gen(function* () {
      const far = yield* farPeer
      const alice = far.actor("alice")
      const mallory = far.actor("mallory")
      const note = (id: string, actor = alice.url) =>
        JSON.stringify({
          "@context": "https://www.w3.org/ns/activitystreams",
          id,
          type: "Arrive",
          actor,
          object: `${far.origin}/x`
        })
      const text = note(`${far.origin}/first`)

      // First contact, by every inbox there is and every type of content.
      assert.strictEqual((yield* far.send(alice, text)).status, 204)
      assert.strictEqual((yield* far.send(alice, note(`${far.origin}/2`), { to: "/accounts/owner/inbox" })).status, 204)
      const channel = { to: "/video-channels/owner_channel/inbox", contentType: "application/json; charset=utf-8" }
      assert.strictEqual((yield* far.send(alice, note(`${far.origin}/3`), channel)).status, 204)
      const profile = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
      assert.strictEqual((yield* far.send(alice, note(`${far.origin}/4`), { contentType: profile })).status, 204)
      assert.strictEqual(yield* rowCount, 4)
      // Unknown types are accepted and ignored.
      assert.deepStrictEqual(yield* settled(`${far.origin}/first`), { state: "applied", error: null })

      const answers = (twist: Parameters<typeof far.send>[2], body = text) =>
        Effect.map(far.send(alice, body, twist), (it) => it.status)
      assert.strictEqual(yield* answers({ to: "/accounts/nobody/inbox" }), 404)
      assert.strictEqual(yield* answers({ contentType: "text/plain" }), 415)
      const fresh = note(`${far.origin}/never`)
      // AP-08: what has to be covered and is not, and a body that is not the signed one.
      assert.strictEqual(yield* answers({ headers: { signature: undefined } }, fresh), 401)
      assert.strictEqual(yield* answers({ headers: { signature: "what?" } }, fresh), 401)
      assert.include([401, 403], yield* answers({ headers: { digest: undefined } }, fresh))
      assert.include([401, 403], yield* answers({ headers: { date: undefined } }, fresh))
      assert.include([401, 403], yield* answers({ body: fresh.replace("never", "nev3r") }, fresh))
      const other = fresh.replace("never", "nev3r")
      assert.include([401, 403], yield* answers({ body: other, headers: { digest: digestOf(other) } }, fresh))
      assert.include([401, 403], yield* answers({ off: -3_700_000 }, fresh))
      // AP-07: signed well, by another.
      assert.strictEqual(yield* answers({ as: mallory }, fresh), 403)
      // Somebody of another origin than the activity, and one of ours.
      assert.strictEqual(yield* answers({}, note("https://elsewhere.example/1")), 403)
      assert.strictEqual(yield* answers({}, note(`${far.origin}/5`, `${ours}/accounts/owner`)), 403)
      // No activity at all.
      for (const broken of [
        "",
        "{",
        "[]",
        '"text"',
        '{"type":"Like"}',
        `{"id":"${far.origin}/6","actor":"${alice.url}"}`
      ]) {
        assert.strictEqual(yield* answers({}, broken), 400, broken)
      }
      assert.strictEqual(yield* answers({}, note(`${far.origin}/${"é".repeat(1_500)}`)), 400)
      assert.strictEqual(yield* rowCount, 4)
      for (const path of ["/inbox", "/accounts/owner/inbox", "/video-channels/owner_channel/inbox"]) {
        const { headers, status } = yield* read(path)
        assert.deepStrictEqual([status, headers.get("allow")], [405, "POST"], path)
      }
    })
  )

  it.effect("verifies either form, by RSA and by the second key of an actor (FEP-521a)", () =>
    Effect.gen(function* () {
      const far = yield* farPeer
      const { privateKey, publicKey } = generateKeyPairSync("ed25519")
      const second = `${far.origin}/accounts/ed#ed25519-key`
      const controller = `${far.origin}/accounts/ed`
      const multikey = { id: second, type: "Multikey", controller, publicKeyMultibase: toMultibase(publicKey) }
      const ed = far.actor("ed", { assertionMethod: [multikey] })
      const key = { id: second, privateKey, algorithm: "ed25519" } as const
      const post = (actor: typeof ed, signing: NonNullable<Parameters<typeof far.send>[2]>["signing"]) =>
        Effect.map(far.post(actor, "Arrive", `${far.origin}/x`, {}, { signing: signing! }), (it) => it.status)
      for (const form of ["cavage", "rfc9421"] as const) {
        assert.strictEqual(yield* post(ed, { form, key }), 204, `${form}, Ed25519`)
        assert.strictEqual(yield* post(ed, { form }), 204, `${form}, RSA`)
      }
      // Whose key that is, its own document has to say.
      const other = far.actor("other")
      assert.strictEqual(yield* post(other, { form: "rfc9421", key }), 403)
      const not = { ...key, id: `${other.url}#ed25519-key` }
      assert.strictEqual(yield* post(other, { form: "rfc9421", key: not }), 403)
    })
  )

  it.effect("sends on what is said below our videos, is changed and taken back, as it came", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farPeer
      const alice = far.actor("alice")
      const video = yield* addVideo({ owner: "owner" })
      yield* far.post(alice, "Arrive", `${far.origin}/x`)
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state) select f.id, c.id, 'accepted' from actor f, actor c
        where f.url = ${alice.url} and c.url = ${`${ours}/video-channels/owner_channel`}`
      const id = `${far.origin}/notes/1`
      const note = (content: string) => ({
        ...{ type: "Note", id, content, inReplyTo: `${ours}/videos/watch/${video.uuid}`, attributedTo: alice.url },
        ...{ to: ["https://www.w3.org/ns/activitystreams#Public"], cc: [] }
      })
      for (const [type, object] of [
        ["Create", note("said")],
        ["Update", note("said better")],
        ["Delete", id]
      ] as const) {
        const signature = { type: "RsaSignature2017", creator: `${alice.url}#main-key` }
        const activity = { ...far.activity(alice, type, object), signature }
        assert.strictEqual((yield* far.send(alice, JSON.stringify(activity))).status, 204)
        assert.deepStrictEqual(yield* settled(activity.id), { state: "applied", error: null }, type)
        yield* (yield* Outbox).drain
        const [row] = yield* sql<{ document: string }>`
          select document from activity where uri = ${activity.id} and forwarded`
        assert.deepStrictEqual(JSON.parse(row?.document ?? "null"), activity, type)
      }
    })
  )

  it.effect("is bounded in depth, items and bytes, and takes a collection of one actor (AP-29, AP-31)", () =>
    Effect.gen(function* () {
      const far = yield* farPeer
      const alice = far.actor("alice")
      const bob = far.actor("bob")
      const before = yield* rowCount
      const deep = `${'{"object":'.repeat(5_000)}{}${"}".repeat(5_000)}`
      assert.strictEqual((yield* far.send(alice, deep)).status, 400)
      const arrays = `{"id":"${far.origin}/d","type":"Like","actor":"${alice.url}","object":${"[".repeat(60)}${"]".repeat(60)}}`
      assert.strictEqual((yield* far.send(alice, arrays)).status, 400)
      const huge = `{"a":"${"x".repeat(1_100_000)}"}`
      assert.strictEqual((yield* far.send(alice, huge)).status, 413)
      const chunked = { headers: { "content-length": undefined, "transfer-encoding": "chunked" } }
      assert.strictEqual((yield* far.send(alice, huge, chunked)).status, 413)

      const items = (count: number, of: (nth: number) => typeof alice) =>
        Array.from({ length: count }, (_, nth) => far.activity(of(nth), "Arrive", `${far.origin}/x`))
      const collection = (orderedItems: ReadonlyArray<unknown>) =>
        JSON.stringify({ type: "OrderedCollection", orderedItems })
      const many = `{"type":"Collection","items":[${"1,".repeat(100_000)}1]}`
      assert.strictEqual((yield* far.send(alice, many)).status, 400)
      assert.strictEqual((yield* far.send(alice, collection(items(101, () => alice)))).status, 400)
      assert.strictEqual((yield* far.send(alice, collection(items(4, (nth) => (nth === 2 ? bob : alice))))).status, 403)
      assert.strictEqual((yield* far.send(bob, collection(items(4, () => alice)))).status, 403)
      assert.strictEqual(yield* rowCount, before)
      // In several pieces.
      const wide = collection(items(4, () => alice).map((it) => ({ ...it, summary: "x".repeat(50_000) })))
      assert.strictEqual((yield* far.send(alice, wide, chunked)).status, 204)
      assert.strictEqual(yield* rowCount, before + 4)
    })
  )

  it.effect("an activity is one row and one effect, however often and wherever it comes (AP-37)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farPeer
      const video = yield* addVideo({ owner: "owner" })
      const alice = far.actor("alice")
      const text = JSON.stringify(far.activity(alice, "Like", `${ours}/videos/watch/${video.uuid}`))
      const view = JSON.stringify(far.activity(alice, "View", `${ours}/videos/watch/${video.uuid}`))
      const before = yield* rowCount
      const inboxes = ["/inbox", "/accounts/owner/inbox", "/video-channels/owner_channel/inbox"]
      const answers = yield* Effect.forEach(
        Array.from({ length: 100 }, (_, nth) => nth),
        (nth) => far.send(alice, nth % 2 === 0 ? text : view, { to: inboxes[nth % 3]! }),
        { concurrency: 25 }
      )
      assert.deepStrictEqual([...new Set(answers.map((it) => it.status))], [204])
      assert.strictEqual(yield* rowCount, before + 2)
      // Fifty of its neighbours whom nobody has met either.
      const crowd = Array.from({ length: 50 }, (_, nth) => far.actor(`crowd${nth}`))
      const met = yield* Effect.forEach(crowd, (one) => far.post(one, "Arrive", `${far.origin}/x`), { concurrency: 25 })
      assert.deepStrictEqual([...new Set(met.map((it) => it.status))], [204])
      yield* settled()
      const [row] = yield* sql`select likes, views from video where id = ${video.id}`
      assert.deepStrictEqual(row, { likes: 1, views: 1 })
      // One of its documents was asked for, by one of them, for all.
      assert.strictEqual(far.asked.filter((it) => it === "/accounts/alice").length, 1)
    })
  )

  it.effect(
    "the same ids at the same time, and what takes them back, wait for each other and for ever for nobody",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const far = yield* farPeer
        const video = yield* addVideo({ owner: "owner" })
        const alice = far.actor("alice")
        const likes = Array.from({ length: 12 }, () =>
          far.activity(alice, "Like", `${ours}/videos/watch/${video.uuid}`)
        )
        yield* far.post(alice, "Arrive", `${far.origin}/x`)
        const texts = [0, 1, 2, 3].flatMap((turn) =>
          likes.map((like, nth) =>
            (turn + nth) % 4 === 3 ? far.activity(alice, "Undo", like) : { ...like, summary: `turn ${turn}` }
          )
        )
        const answers = yield* Effect.forEach(texts, (text) => far.send(alice, JSON.stringify(text)), {
          concurrency: 24
        })
        assert.deepStrictEqual([...new Set(answers.map((it) => it.status))], [204])
        const rows = yield* sql<{ n: number }>`
        select count(*) as n from inbox_activity where uri = any(${likes.map((it) => it.id)}::text[])`
        assert.strictEqual(rows[0]!.n, likes.length)
      })
  )

  it.effect("who is gone is not missed, who is muted is not heard, and who sends too much waits outside", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farPeer
      const ghost = far.actor("ghost")
      far.serve("/accounts/ghost", { type: "Tombstone", id: ghost.url }, 410)
      const before = yield* rowCount
      assert.strictEqual((yield* far.post(ghost, "Delete", ghost.url)).status, 204)
      assert.strictEqual((yield* far.post(ghost, "Delete", `${far.origin}/something`)).status, 403)
      assert.strictEqual(yield* rowCount, before)
      assert.strictEqual(far.asked.filter((it) => it === "/accounts/ghost").length, 1)

      const loud = far.actor("loud")
      yield* sql`
        insert into inbox_activity (uri, type, host, actor_url, body, not_before)
        select 'https://far.example/' || n, 'Like', ${new URL(far.origin).host}, ${loud.url}, '{}', now() + interval '1 hour'
        from generate_series(1, 80) n`
      yield* Effect.flatMap(Effect.service(InboxBacklog), (backlog) => backlog.look)
      const full = yield* far.post(loud, "Arrive", `${far.origin}/x`)
      assert.strictEqual(full.status, 429)
      assert.isAbove(Number(full.headers["retry-after"]), 0)
      // Others are not meant.
      const near = yield* farPeer
      assert.strictEqual((yield* near.post(near.actor("calm"), "Arrive", `${near.origin}/x`)).status, 204)
      // A host is muted, and one of its neighbours alone.
      const bad = near.actor("bad")
      assert.strictEqual((yield* near.post(bad, "Arrive", `${near.origin}/x`)).status, 204)
      const instance = sql`select o.id from account o join actor a on a.id = o.actor_id where a.type = 'Application'`
      yield* sql`insert into account_block (account_id, target_account_id) select i.id, o.id from (${instance}) i, account o
        join actor a on a.id = o.actor_id where a.url = ${bad.url}`
      yield* Effect.flatMap(Effect.service(MutedSenders), (muted) => muted.renew)
      assert.strictEqual((yield* near.post(bad, "Arrive", `${near.origin}/x`)).status, 403)
      assert.strictEqual((yield* near.post(near.actor("good"), "Arrive", `${near.origin}/x`)).status, 204)
      yield* sql`insert into server_block (account_id, server_id) select i.id, s.id from (${instance}) i, server s
        where s.host = ${new URL(near.origin).host}`
      yield* Effect.flatMap(Effect.service(MutedSenders), (muted) => muted.renew)
      assert.strictEqual((yield* near.post(near.actor("best"), "Arrive", `${near.origin}/x`)).status, 403)
      yield* sql`delete from inbox_activity where not_before is not null`
      yield* Effect.flatMap(Effect.service(InboxBacklog), (backlog) => backlog.look)
      assert.strictEqual((yield* far.post(loud, "Arrive", `${far.origin}/x`)).status, 204)
    })
  )

  it.effect("what cannot be kept is refused alone, and what is taken back may come again as it was", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const far = yield* farPeer
      const video = yield* addVideo({ owner: "owner" })
      const alice = far.actor("alice")
      yield* far.post(alice, "Arrive", `${far.origin}/first`)
      const poison = `${far.origin}/poison`
      yield* sql.unsafe(`alter table inbox_activity add constraint poison check (object <> '${poison}')`)
      const answers = yield* Effect.forEach(
        Array.from({ length: 30 }, (_, nth) => nth),
        (nth) => far.post(alice, "Arrive", nth % 10 === 5 ? poison : `${far.origin}/${nth}`),
        { concurrency: 30 }
      )
      assert.deepStrictEqual(
        answers.map((it) => it.status),
        answers.map((_, nth) => (nth % 10 === 5 ? 400 : 204))
      )
      yield* sql`alter table inbox_activity drop constraint poison`
      assert.strictEqual((yield* far.post(alice, "Arrive", poison)).status, 204)

      const like = JSON.stringify(far.activity(alice, "Like", `${ours}/videos/watch/${video.uuid}`))
      const likes = Effect.flatMap(settled(), () => sql`select likes from video where id = ${video.id}`)
      const headers = yield* signRequest({
        ...{ method: "POST", url: `${ours}/inbox`, body: Buffer.from(like), form: "cavage" as const },
        key: { id: `${alice.url}#main-key`, privateKey: alice.privateKey, algorithm: "rsa" as const },
        now: yield* Clock.currentTimeMillis
      })
      assert.strictEqual((yield* far.send(alice, like, { headers })).status, 204)
      assert.deepStrictEqual(yield* likes, [{ likes: 1 }])
      yield* far.post(alice, "Undo", JSON.parse(like))
      assert.deepStrictEqual(yield* likes, [{ likes: 0 }])
      // The very same request is one that somebody has kept, however it is written by now.
      const signature = headers["signature"]!.split(",").reverse().join(",")
      assert.strictEqual((yield* far.send(alice, like, { headers })).status, 204)
      assert.strictEqual((yield* far.send(alice, like, { headers: { ...headers, signature } })).status, 204)
      assert.deepStrictEqual(yield* likes, [{ likes: 0 }])
      yield* far.send(alice, like, { off: 2_000 })
      assert.deepStrictEqual(yield* likes, [{ likes: 1 }])
    })
  )

  it.effect("strangers may have little waiting, and nobody more than its share when there is too much", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const backlog = yield* InboxBacklog
      const far = yield* farPeer
      const near = yield* farPeer
      const [alice, bob] = [far.actor("alice"), near.actor("bob")]
      yield* far.post(alice, "Arrive", `${far.origin}/x`)
      yield* near.post(bob, "Arrive", `${near.origin}/x`)
      yield* settled()
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select o.id, c.id, 'accepted' from actor o, actor c where o.url = ${`${ours}/accounts/owner`} and c.url = ${alice.url}`
      const hosts = [far, near].map((it) => new URL(it.origin).host)
      for (const host of hosts) for (let nth = 0; nth < 60; nth++) backlog.add(host, 1)
      assert.strictEqual((yield* far.post(alice, "Arrive", `${far.origin}/y`)).status, 204)
      assert.strictEqual((yield* near.post(bob, "Arrive", `${near.origin}/y`)).status, 429)

      const big = (nth: number) => `big${nth}.example`
      for (let nth = 0; nth < 5; nth++) backlog.add(big(nth), 220 * 1024 * 1024)
      assert.isTrue(yield* backlog.isFull(big(0)))
      assert.isFalse(yield* backlog.isFull("small.example"))
      backlog.add(big(5), 220 * 1024 * 1024)
      assert.isTrue(yield* backlog.isFull("small.example"))
      assert.isFalse(yield* backlog.isFull(hosts[0]!))
      backlog.add(big(6), 220 * 1024 * 1024)
      assert.isTrue(yield* backlog.isFull(hosts[0]!))
      yield* backlog.look
    })
  )

  it.effect("a key that is not given in time is not waited for, and all who ask for it are answered at once", () =>
    Effect.gen(function* () {
      const far = yield* farPeer
      const slow = far.actor("slow")
      far.serve("/accounts/slow", {}, 0)
      // One after the other they would take longer than the test may.
      const answers = yield* Effect.forEach(
        Array.from({ length: 10 }, (_, nth) => nth),
        () => far.post(slow, "Arrive", `${far.origin}/x`),
        { concurrency: 10 }
      )
      assert.deepStrictEqual([...new Set(answers.map((it) => it.status))], [503])
      assert.strictEqual(far.asked.filter((it) => it === "/accounts/slow").length, 1)
    })
  )

  it.effect("counts requests that prove nothing against the limit of an address, and no others", () =>
    Effect.gen(function* () {
      const far = yield* farPeer
      const alice = far.actor("alice")
      const bare = { headers: { signature: undefined } }
      const left = (answer: { readonly headers: Readonly<Record<string, unknown>> }) =>
        Number(answer.headers["x-ratelimit-remaining"])
      const before = left(yield* far.post(alice, "Arrive", `${far.origin}/x`))
      assert.isAbove(before, 0)
      for (let nth = 0; nth < 5; nth++) yield* far.post(alice, "Arrive", `${far.origin}/x`)
      assert.strictEqual(left(yield* far.post(alice, "Arrive", `${far.origin}/x`)), before)
      const unsigned = yield* far.post(alice, "Arrive", `${far.origin}/x`, {}, bare)
      assert.deepStrictEqual([unsigned.status, left(unsigned)], [401, before])
      assert.strictEqual(left(yield* far.post(alice, "Arrive", `${far.origin}/x`)), before - 1)
      yield* Effect.forEach(
        Array.from({ length: before }),
        () => far.send(alice, "{}", { ...bare, to: "/video-channels/owner_channel/inbox" }),
        { concurrency: 20, discard: true }
      )
      const refused = yield* far.post(alice, "Arrive", `${far.origin}/x`)
      assert.strictEqual(refused.status, 429)
      assert.isAbove(Number(refused.headers["retry-after"]), 0)
    })
  )
})
