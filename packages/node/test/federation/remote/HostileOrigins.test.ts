import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import type { ServerResponse } from "node:http"
import { createServer } from "node:net"
import { ObjectRefused, ObjectUnavailable } from "../../../src/federation/remote/RemoteErrors.ts"
import { keyAskers } from "../../../src/federation/remote/KeyAskers.ts"
import { RemoteActors } from "../../../src/federation/remote/RemoteActors.ts"
import { RemoteComments } from "../../../src/federation/remote/RemoteComments.ts"
import { RemoteVideos } from "../../../src/federation/remote/RemoteVideos.ts"
import { send } from "../../instance/about/Client.ts"
import { addVideo } from "../../video/list/Videos.ts"
import {
  followed,
  mastodonActor,
  mastodonNote,
  peertubeActor,
  peertubeVideo,
  publicPem,
  readingNode,
  startOrigin,
  startPeertube,
  until
} from "./Origin.ts"

const ours = "http://localhost:9000"
const everybody = "https://www.w3.org/ns/activitystreams#Public"

const refusal = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.result(effect), (it) =>
    Result.isSuccess(it)
      ? "nothing refused"
      : it.failure instanceof ObjectRefused
        ? it.failure.why
        : (it.failure as { _tag: string })._tag
  )

layer(readingNode, { excludeTestServices: true, timeout: 60_000 })("other instances that mean harm", (it) => {
  it.effect("speak for nobody but themselves (AP-02, AP-03, AP-14, AP-21)", () =>
    Effect.gen(function* () {
      const evil = yield* startOrigin
      const victim = yield* startPeertube
      const actors = yield* RemoteActors
      const videos = yield* RemoteVideos
      yield* videos.byUrl(victim.video)
      const own = yield* addVideo({ owner: "root" })
      const sql = yield* SqlClient

      // Under an address of theirs, somebody else.
      const lies = [
        evil.put({ ...peertubeActor(evil.origin, "a1"), id: victim.account }, "/a1"),
        evil.put({ ...peertubeActor(evil.origin, "a2"), id: `${ours}/accounts/root` }, "/a2"),
        evil.put({ ...peertubeActor(evil.origin, "a3"), id: undefined }, "/a3"),
        evil.put({ ...peertubeActor(evil.origin, "a4"), "as:id": victim.account }, "/a4")
      ]
      evil.answer("/a5", (_request, response) => response.writeHead(302, { location: victim.account }).end())
      evil.answer("/a6", (_request, response) => response.writeHead(302, { location: victim.channel }).end())
      const group = peertubeActor(evil.origin, "g6", `${evil.origin}/a5`)
      assert.strictEqual(yield* refusal(actors.applyUpdate(group as never)), "authority")
      const forged = {
        ...mastodonNote(evil.origin, "x", 1, victim.video),
        attributedTo: `${evil.origin}/a5`,
        to: [everybody]
      }
      assert.strictEqual(yield* refusal((yield* RemoteComments).upsert(forged as never)), "authority")
      for (const [at, url] of [...lies, `${evil.origin}/a5`].entries()) {
        const result = yield* Effect.result(actors.byUrl(url, { refresh: true }))
        assert.isTrue(Result.isFailure(result), String(at))
      }
      assert.strictEqual(yield* refusal(actors.byUrl(`${ours}/accounts/root`)), "address")
      assert.strictEqual(yield* refusal(actors.applyUpdate(peertubeActor(ours, "root") as never)), "address")

      // Videos of theirs in the name of others, others' videos in theirs, and uuids that are taken.
      const mine = peertubeVideo(evil.origin, crypto.randomUUID())
      for (const wrong of [
        { ...mine, attributedTo: [victim.account, victim.channel] },
        // By addresses of theirs that lead there.
        { ...mine, attributedTo: [`${evil.origin}/a5`, `${evil.origin}/a6`] },
        { ...mine, attributedTo: [] },
        { ...mine, attributedTo: [`${ours}/accounts/root`, `${ours}/video-channels/root_channel`] },
        { ...mine, id: `${ours}/videos/watch/${own.uuid}` }
      ]) {
        assert.include(["document", "address", "gone", "authority"], yield* refusal(videos.upsert(wrong as never)))
      }
      evil.put(peertubeActor(evil.origin, "ann_channel", evil.put(peertubeActor(evil.origin, "ann"))))
      yield* followed(victim.channel)
      yield* (yield* RemoteActors).byUrl(`${evil.origin}/video-channels/ann_channel`)
      yield* followed(`${evil.origin}/video-channels/ann_channel`)
      for (const uuid of [own.uuid, victim.uuid]) {
        const thief = peertubeVideo(evil.origin, uuid, { name: "Stolen" })
        const { id } = yield* videos.upsert(thief as never)
        assert.notStrictEqual(id, own.id)
        assert.notStrictEqual((yield* send(`/api/v1/videos/${uuid}`)).json.name, "Stolen")
        assert.strictEqual((yield* send(`/api/v1/videos/${id}`)).json.url, thief["id"])
      }
      assert.strictEqual((yield* send(`/api/v1/videos/${own.uuid}`)).json.isLocal, true)

      // One of the same origin takes another's video: its origin is asked, and says no.
      const other = victim.put(peertubeActor(victim.origin, "other"))
      const otherChannel = victim.put(peertubeActor(victim.origin, "other_channel", other))
      const taken = peertubeVideo(victim.origin, victim.uuid, { name: "Taken", attributedTo: [other, otherChannel] })
      yield* videos.upsert({ ...taken, updated: "2026-11-22T00:00:00.000Z" } as never)
      const still = (yield* send(`/api/v1/videos/${victim.uuid}`)).json
      assert.deepStrictEqual([still.name, still.account.name], ["A video from afar", "ann"])
      // A channel of another account does not become one's own by naming it.
      const mixed = peertubeVideo(victim.origin, crypto.randomUUID(), { attributedTo: [other, victim.channel] })
      assert.include(["authority", "gone"], yield* refusal(videos.upsert(mixed as never)))
      // Nor does naming two of a kind, whoever comes first.
      for (const attributedTo of [
        [victim.channel, otherChannel],
        [victim.account, other, otherChannel]
      ]) {
        const several = peertubeVideo(victim.origin, crypto.randomUUID(), { attributedTo })
        assert.strictEqual(yield* refusal(videos.upsert(several as never)), "authority")
      }

      // Both uuids that it could have are taken; it says it was changed in a year to come, and then that some alone may see it.
      const squatted = peertubeVideo(victim.origin, crypto.randomUUID(), { updated: "2099-01-01T00:00:00.000Z" })
      const url = victim.put(squatted)
      const uuids = [
        String(squatted["uuid"]),
        createHash("md5")
          .update(url)
          .digest("hex")
          .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
      ]
      for (const uuid of uuids) yield* videos.upsert(peertubeVideo(evil.origin, uuid) as never)
      const { id } = yield* videos.byUrl(url)
      const [row] = yield* sql`select uuid, updated_at <= now() as past from video where id = ${id}`
      assert.notInclude(uuids, row?.["uuid"])
      assert.isTrue(row?.["past"])
      const secret = { ...squatted, to: [`${victim.account}/followers`], cc: [] }
      assert.strictEqual((yield* videos.upsert(secret as never)).id, id)
      assert.strictEqual(yield* refusal(videos.upsert({ ...secret, id: victim.put(secret) } as never)), "document")
      assert.strictEqual((yield* sql`select 1 from video where id = ${id}`).length, 0)
      assert.isFalse(yield* videos.remove(`${ours}/videos/watch/${own.uuid}`))
      assert.isFalse(yield* (yield* RemoteActors).remove(`${ours}/accounts/root`))
    })
  )

  it.effect("name inboxes and keys of their own alone (AP-01, AP-40)", () =>
    Effect.gen(function* () {
      const evil = yield* startOrigin
      const actors = yield* RemoteActors
      const base = peertubeActor(evil.origin, "b")
      const of = (name: string, more: Record<string, unknown>) => {
        const id = `${evil.origin}/accounts/${name}`
        const key = { id: `${id}#main-key`, owner: id, publicKeyPem: publicPem }
        return evil.put({ ...base, id, preferredUsername: name, publicKey: key, ...more })
      }
      for (const [name, more] of Object.entries({
        inbox: { inbox: "https://victim.example/inbox" },
        local: { inbox: `${ours}/inbox` },
        scheme: { inbox: "javascript:alert(1)" },
        key: {
          publicKey: {
            id: "https://victim.example/u#main-key",
            owner: `${evil.origin}/accounts/key`,
            publicKeyPem: publicPem
          }
        },
        owner: {
          publicKey: {
            id: `${evil.origin}/accounts/owner#k`,
            owner: "https://victim.example/u",
            publicKeyPem: publicPem
          }
        },
        slash: { preferredUsername: "../../admin" },
        at: { preferredUsername: "root@localhost:9000" }
      })) {
        assert.strictEqual(yield* refusal(actors.byUrl(of(name, more))), "document", name)
      }
      const quoted = yield* actors.byUrl(of("quoted", { inbox: `${evil.origin}/i/' ; UPDATE actor SET type = 'x' --` }))
      assert.strictEqual(quoted.inboxUrl, `${evil.origin}/i/%27%20;%20UPDATE%20actor%20SET%20type%20=%20%27x%27%20--`)
      const elsewhere = { endpoints: { sharedInbox: "https://victim.example/inbox" }, outbox: `${ours}/outbox` }
      const reflected = yield* actors.byUrl(of("reflector", elsewhere))
      assert.deepStrictEqual([reflected.sharedInboxUrl, reflected.outboxUrl], [null, null])
    })
  )

  it.effect(
    "prove their keys both ways, and dead ones cost little (AP-14, AP-16, AP-17)",
    () =>
      Effect.gen(function* () {
        const victim = yield* startPeertube
        const evil = yield* startOrigin
        const { key } = yield* RemoteActors
        const whose = (keyId: string, again = false) =>
          Effect.map(Effect.result(key()(keyId, again)), (it) =>
            Result.isSuccess(it) ? it.success.owner : it.failure.status
          )
        const many = Array.from({ length: 100 }, () => whose(`${victim.account}#main-key`))
        assert.deepStrictEqual(
          new Set(yield* Effect.all(many, { concurrency: "unbounded" })),
          new Set<string | number>([victim.account])
        )
        assert.strictEqual(victim.asked.get("/accounts/ann"), 1)
        // A known key is fetched again at most once in a while, whoever asks for it.
        for (let times = 0; times < 5; times++) yield* whose(`${victim.account}#main-key`, true)
        assert.strictEqual(victim.asked.get("/accounts/ann"), 2)
        // PeerTube signs with the address of the actor (contract: signatures.http.keyIdSent).
        assert.strictEqual(yield* whose(victim.account), victim.account)
        // However many names somebody makes up for keys of one actor, it is asked once.
        for (let at = 0; at < 20; at++) assert.strictEqual(yield* whose(`${victim.account}#other${at}`), 403)
        assert.strictEqual(victim.asked.get("/accounts/ann"), 2)
        // Naming keys is no proof: nothing of whose they are was written.
        assert.isUndefined(yield* (yield* RemoteActors).known(victim.account))
        evil.answer("/redirect", (_request, response) => response.writeHead(302, { location: victim.account }).end())
        assert.strictEqual(yield* whose(`${evil.origin}/redirect`), 403)
        evil.put({ id: `${evil.origin}/key`, type: "Key", owner: victim.account, publicKeyPem: publicPem })
        assert.strictEqual(yield* whose(`${evil.origin}/key`), 403)
        const small = peertubeActor(evil.origin, "small")
        evil.put({
          ...small,
          publicKey: {
            ...(small["publicKey"] as object),
            publicKeyPem: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"
          }
        })
        assert.strictEqual(yield* whose(`${small["id"]}#main-key`), 403)
        assert.strictEqual(yield* whose(`${ours}/accounts/root#main-key`), 401)
        assert.strictEqual(yield* whose("acct:nobody@far.example"), 401)

        // Who names keys that are not to be had has no more asked for after a while; who names those that are has them given back.
        const askers = keyAskers()
        const taken = yield* Effect.forEach(Array.from({ length: 120 }), () => askers.take("198.51.100.7"))
        assert.strictEqual(taken.filter((it) => it).length, 100)
        yield* askers.giveBack("198.51.100.7")
        assert.isTrue(yield* askers.take("198.51.100.7"))
        assert.isTrue(yield* askers.take("198.51.100.8"))
        // A dead host does that for its own client, and for no other.
        const silent = `${evil.origin.replace(/:\d+$/, ":1")}/accounts/x`
        const made = (client: string, at: number) => Effect.result(key(client)(`${silent}${at}#main-key`, false))
        for (let at = 0; at < 140; at++) yield* made("203.0.113.5", at)
        const why = (it: Effect.Success<ReturnType<typeof made>>) => (Result.isFailure(it) ? it.failure.why : "")
        assert.strictEqual(why(yield* made("203.0.113.5", 200)), "too many keys that are not to be had")
        assert.strictEqual(why(yield* made("203.0.113.6", 201)), "the key cannot be fetched at the moment")
        // What is known is known to all.
        assert.strictEqual((yield* Effect.result(key("203.0.113.5")(victim.account, false)))._tag, "Success")

        let connections = 0
        const server = createServer((socket) => {
          connections++
          socket.destroy()
        })
        const port = yield* Effect.callback<number>((resume) => {
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as { port: number }).port)))
        })
        const ids = Array.from({ length: 1_000 }, (_, at) => `http://127.0.0.1:${port}/accounts/u${at}#main-key`)
        const answers = yield* Effect.forEach(ids, (id) => whose(id), { concurrency: 20 })
        assert.isTrue(answers.every((it) => it === 503))
        assert.isBelow(connections, 50)
        yield* Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
        assert.strictEqual(yield* whose(victim.account), victim.account)
      }),
    60_000
  )

  it.effect("lead no reader in circles or depths (AP-05, AP-29, AP-30)", () =>
    Effect.gen(function* () {
      const evil = yield* startOrigin
      const comments = yield* RemoteComments
      evil.put(mastodonActor(evil.origin, "eve"))
      const at = (id: number) => `${evil.origin}/users/eve/statuses/${id}`
      const one = evil.put(mastodonNote(evil.origin, "eve", 1, at(2)))
      evil.put(mastodonNote(evil.origin, "eve", 2, at(1)))
      assert.strictEqual(yield* refusal(comments.byUrl(one)), "document")
      for (let id = 100; id < 300; id++) evil.put(mastodonNote(evil.origin, "eve", id, at(id + 1)))
      assert.strictEqual(yield* refusal(comments.byUrl(at(100))), "document")
      assert.isUndefined(evil.asked.get("/users/eve/statuses/202"))
      // Groups that belong to each other.
      const groups = ["g", "h"].map((name, index) =>
        evil.put(peertubeActor(evil.origin, name, `${evil.origin}/video-channels/${["h", "g"][index]}`))
      )
      const actor = yield* (yield* RemoteActors).byUrl(groups[0]!)
      assert.isNull(actor.channelId)
      const deep = `{"id":"${evil.origin}/deep","type":"Person","x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`
      evil.answer("/deep", (_request, response) =>
        response.writeHead(200, { "content-type": "application/activity+json" }).end(deep)
      )
      assert.strictEqual(yield* refusal((yield* RemoteActors).byUrl(`${evil.origin}/deep`)), "document")
      // A file that somebody uploaded is no object.
      evil.answer("/upload.json", (_request, response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify(mastodonActor(evil.origin, "up")))
      )
      assert.strictEqual(yield* refusal((yield* RemoteActors).byUrl(`${evil.origin}/upload.json`)), "document")
    })
  )

  it.effect("are asked once by many, again when they are old, and take over no names", () =>
    Effect.gen(function* () {
      const peer = yield* startPeertube
      const sql = yield* SqlClient
      const actors = yield* RemoteActors
      // The first answer comes when all have asked, and have not found the actor here.
      const arrived = yield* Deferred.make<ServerResponse>()
      peer.answer("/accounts/ann", (_, response) => void Deferred.doneUnsafe(arrived, Effect.succeed(response)))
      const asking = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 50 }), () => actors.byUrl(peer.account), { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      const response = yield* Deferred.await(arrived)
      for (let n = 0; n < 50; n++) yield* sql`select 1`
      peer.put(peertubeActor(peer.origin, "ann"))
      response
        .writeHead(200, { "content-type": "application/activity+json" })
        .end(JSON.stringify(peertubeActor(peer.origin, "ann")))
      const found = yield* Fiber.join(asking)
      assert.strictEqual(new Set(found.map(({ id }) => id)).size, 1)
      assert.strictEqual(peer.asked.get("/accounts/ann"), 1)
      yield* sql`update remote_actor set fetched_at = now() - interval '3 days' where actor_id = ${found[0]!.id}`
      peer.put({ ...peertubeActor(peer.origin, "ann"), name: "Ann anew" })
      assert.strictEqual((yield* actors.byUrl(peer.account)).id, found[0]!.id)
      yield* until(
        Effect.map(send(`/api/v1/accounts/ann@${peer.host}`), (answer) => answer.json.displayName),
        (name) => name === "Ann anew"
      )
      // Another account by the same name there, and a group that has it too.
      const second = { ...mastodonActor(peer.origin, "ann"), name: "The second" }
      const later = yield* actors.byUrl(peer.put(second))
      assert.notStrictEqual(later.id, found[0]!.id)
      assert.strictEqual((yield* send(`/api/v1/accounts/ann@${peer.host}`)).json.displayName, "The second")
      assert.strictEqual((yield* actors.known(peer.account))?.id, found[0]!.id)
      // A third one, where even what the second would be called then is somebody's.
      yield* actors.byUrl(peer.put(mastodonActor(peer.origin, `ann-${later.id}`)))
      yield* actors.byUrl(peer.put({ ...mastodonActor(peer.origin, "third"), preferredUsername: "ann" }))
      const names = yield* sql<{ name: string }>`
        select preferred_username as name from actor where id in (${found[0]!.id}, ${later.id}) order by id`
      assert.deepStrictEqual(
        names.map(({ name }) => name),
        [`ann-${found[0]!.id}`, `ann-${later.id}-${later.id}`]
      )
      // Nobody comes to speak for the instance, or ceases to.
      const person = mastodonActor(peer.origin, "person")
      yield* actors.byUrl(peer.put(person))
      assert.strictEqual(yield* refusal(actors.applyUpdate({ ...person, type: "Application" } as never)), "authority")
      assert.strictEqual((yield* actors.applyUpdate({ ...person, type: "Service" } as never)).type, "Service")
      const whole = mastodonActor(peer.origin, "whole")
      yield* actors.byUrl(peer.put({ ...whole, type: "Application" }))
      assert.strictEqual(yield* refusal(actors.applyUpdate(whole as never)), "authority")
      // Somebody took the id of a key that is below another's address.
      const late = mastodonActor(peer.origin, "late")
      const lateKey = `${late["id"]}#main-key`
      const thief = { ...mastodonActor(peer.origin, "thief"), publicKey: [] as Array<unknown> }
      thief.publicKey = [{ id: lateKey, owner: thief["id" as never], publicKeyPem: publicPem }]
      yield* actors.byUrl(peer.put(thief))
      assert.strictEqual((yield* Effect.result(actors.key()(lateKey, false)))._tag, "Success")
      yield* actors.byUrl(peer.put(late))
      yield* actors.applyUpdate({ ...thief, name: "Again" } as never)
      assert.strictEqual((yield* actors.key()(lateKey, true)).owner, late["id"])
      peer.answer("/accounts/slow", (_request, response) => response.writeHead(503, { "retry-after": "7" }).end())
      const slow = yield* Effect.flip(actors.byUrl(`${peer.origin}/accounts/slow`))
      assert.isTrue(slow instanceof ObjectUnavailable && slow.retryAfterMillis === 7_000)
    })
  )
})
