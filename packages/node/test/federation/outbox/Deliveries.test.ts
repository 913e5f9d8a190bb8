import { assert, layer } from "@effect/vitest"
import { OutboxUpkeep } from "@kinora/storage/federation/outbox/OutboxUpkeep"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { signDocument } from "@kinora/federation/signatures/LinkedDataSignature"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import { OutboxTasks } from "../../../src/federation/outbox/OutboxTasks.ts"
import { DepartureTasks } from "../../../src/federation/remote/DepartureTasks.ts"
import { type FarActor, farPeer, ours } from "../inbox/FarPeer.ts"
import { inboxNode, settled } from "../inbox/InboxNode.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { addFollower, startPeer, until, verifiedBy } from "./Peer.ts"
import { remoteComments } from "../../../../storage/test/support/RemoteComments.ts"
import { retryHost } from "@kinora/storage/federation/outbox/HostRetry"

const node = Layer.merge(OutboxTasks, DepartureTasks).pipe(Layer.provideMerge(inboxNode()))

/** What waits for a host once the outbox has made activities of all that changed. */
const waiting = Effect.fnUntraced(function* (host: string) {
  const sql = yield* SqlClient
  yield* (yield* Outbox).drain
  return yield* sql<{ attempts: number; error: string | null; thing: string | null }>`
    select d.attempts, d.last_error as error, a.thing from delivery d join activity a on a.id = d.activity_id
    where d.host = ${host} order by d.id`
})

/** Whether it is an actor, of which others receive how many follow it when its time has come. */
const isCount = (type: unknown): boolean => type === "Group" || type === "Person"

layer(node, { excludeTestServices: true, timeout: 90_000 })("deliveries", (it) => {
  it.effect("arrive signed, in their order, and in the form a host takes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const peer = yield* startPeer
      yield* addFollower(peer, "fan", "root_channel")
      yield* addFollower(peer, "reader", "root")
      yield* until(
        "the follows are accepted",
        Effect.sync(() => peer.received.length === 2)
      )
      assert.deepStrictEqual(
        peer.received.map(({ json, path }) => `${json.type} ${json.object.type} to ${path}`).toSorted(),
        ["Accept Follow to /accounts/fan/inbox", "Accept Follow to /accounts/reader/inbox"]
      )
      const { id } = yield* addVideo({ owner: "root" })
      yield* sql`update video set name = 'Renamed', updated_at = now() where id = ${id}`
      yield* until(
        "all is told",
        Effect.map(waiting(peer.host), (rows) => rows.length === 0)
      )
      const said = peer.received.slice(2).filter(({ json }) => !isCount(json.object?.type))
      const types = said.map(({ json }) => json.type)
      // As many Updates as transactions that changed what is told, less those that a later one has overtaken.
      assert.deepStrictEqual(types.slice(0, 2), ["Create", "Announce"])
      assert.deepStrictEqual([...new Set(types.slice(2))], ["Update"])
      assert.strictEqual(said.at(-1)?.json.object.name, "Renamed")
      const [create] = said
      assert.strictEqual(create?.path, "/inbox")
      assert.strictEqual(create?.headers["content-type"], "application/activity+json")
      assert.strictEqual(create?.json.signature.type, "RsaSignature2017")
      assert.isArray(create?.json["@context"])
      assert.strictEqual(create?.json.object.type, "Video")
      for (const request of peer.received) {
        const { actor, form } = yield* verifiedBy(peer, request)
        assert.deepStrictEqual([actor, form], [request.json.actor, "cavage"])
      }

      // A node that was killed has left the deliveries of this one to be made, and nobody was told of it.
      yield* sql`
        with left_over as (
          insert into activity (uri, type, actor_id, sender, body)
          select url || '/left-over', 'Announce', id, url, jsonb_build_object('type', 'Announce', 'id', url || '/left-over')
          from actor where preferred_username = 'root_channel' and server_id is null returning id
        )
        insert into delivery_fanout (activity_id, lane, inboxes)
        select id, 1, array[${`http://${peer.host}/inbox`}] from left_over`
      yield* until(
        "it has arrived",
        Effect.sync(() => peer.received.at(-1)?.json.id.endsWith("/left-over") === true)
      )

      // Double-knock.
      const picky = yield* startPeer
      picky.answer = ({ headers }) => ({ status: headers["signature-input"] === undefined ? 401 : 202 })
      yield* addFollower(picky, "fan", "root_channel")
      yield* until(
        "it is accepted",
        Effect.map(waiting(picky.host), (rows) => rows.length === 0)
      )
      assert.isAtLeast(picky.received.length, 2)
      assert.strictEqual((yield* verifiedBy(picky, picky.received[1]!)).form, "rfc9421")
      yield* sql`update video set name = 'Again', updated_at = now() where id = ${id}`
      yield* until(
        "it is told",
        Effect.map(waiting(picky.host), (rows) => rows.length === 0)
      )
      yield* until(
        "it has arrived",
        Effect.sync(() => picky.received.length > 2)
      )
      const later = picky.received.slice(1)
      assert.isTrue(
        later.every(({ headers }) => headers["signature-input"] !== undefined),
        "the form is remembered"
      )
    })
  )

  it.effect("wait for hosts that fail, and go on when they answer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const peer = yield* startPeer
      const lost = yield* startPeer
      yield* addFollower(peer, "fan", "root_channel")
      yield* addFollower(lost, "fan", "root_channel")
      yield* until(
        "both know",
        Effect.sync(() => peer.received.length + lost.received.length === 2)
      )
      peer.answer = () => ({ status: 503, headers: { "retry-after": "9999999" } })
      lost.answer = () => ({ status: 410 })
      const { id, uuid } = yield* addVideo({ owner: "root" })
      const stateOf = sql<{ failures: number; seconds: number; error: string }>`
        select failures, extract(epoch from rest_until - now())::integer as seconds, last_error as error
        from delivery_host where host = ${peer.host} and failures > 0`
      yield* until(
        "it rests",
        Effect.map(stateOf, (rows) => rows.length === 1)
      )
      const [state] = yield* stateOf
      assert.strictEqual(state?.failures, 1)
      assert.strictEqual(state?.error, "The inbox answered 503.")
      assert.approximately(state!.seconds, 6 * 3600, 60, "what it asks for is clamped")
      yield* until(
        "a gone inbox is forgotten",
        Effect.map(waiting(lost.host), (rows) => rows.length === 0)
      )
      assert.isAbove((yield* waiting(peer.host)).length, 0)

      // A follow does not wait for the rest of its host.
      peer.answer = ({ json }) => (json.type === "Accept" ? { status: 204 } : { status: 500 })
      const before = peer.received.length
      yield* addFollower(peer, "newcomer", "root")
      yield* until(
        "it is accepted",
        Effect.sync(() => peer.received.some(({ path }) => path.includes("newcomer")))
      )
      assert.strictEqual(peer.received.length, before + 1)

      // It heals with the first success, and takes what has waited; one that fails alone waits alone.
      yield* retryHost(sql, peer.host, sql`true`)
      yield* until(
        "the video's has failed alone",
        Effect.map(waiting(peer.host), (rows) =>
          rows.some(({ error, thing }) => error === "The inbox answered 500." && thing?.endsWith(uuid))
        )
      )
      peer.answer = () => ({ status: 204 })
      yield* sql`delete from video where id = ${id}`
      yield* (yield* Outbox).drain
      yield* retryHost(sql, peer.host, sql`true`)
      yield* until(
        "all is told",
        Effect.map(waiting(peer.host), (rows) => rows.length === 0)
      )
      const types = peer.received
        .slice(before + 1)
        .filter(({ json }) => !isCount(json.object?.type))
        .map(({ json }) => json.type)
      assert.strictEqual(types.at(-1), "Delete")
      assert.isFalse(types.includes("Update"), "nobody needs an Update of what is gone")
      const [healed] = yield* sql<{ failures: number; rests: boolean }>`
        select failures, rest_until is not null as rests from delivery_host where host = ${peer.host}`
      assert.deepStrictEqual(healed, { failures: 0, rests: false })
    })
  )

  it.effect(
    "send on what others say below a video of ours as it came, and tell of all that goes with one who leaves",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const table of ["actor_follow", "delivery", "delivery_host"]) yield* sql.unsafe(`delete from ${table}`)
        const peer = yield* startPeer
        yield* addFollower(peer, "fan", "root_channel")
        const { id, uuid } = yield* addVideo({ owner: "root" })
        const far = yield* farPeer
        const alice = far.actor("alice")
        const signed = (sender: FarActor, type: string, object: unknown, context: ReadonlyArray<unknown> = []) =>
          Effect.gen(function* () {
            const document = {
              ...far.activity(sender, type, object),
              "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1", ...context]
            }
            const key = { id: sender.url, privateKey: sender.privateKey, algorithm: "rsa" } as const
            const complete = yield* signDocument(document, key, yield* Clock.currentTimeMillis)
            assert.strictEqual((yield* far.send(sender, JSON.stringify(complete))).status, 204)
            assert.deepStrictEqual(yield* settled(document.id), { state: "applied", error: null })
            return JSON.parse(JSON.stringify(complete)) as { readonly id: string }
          })
        const note = (nth: number) => ({
          type: "Note",
          id: `${far.origin}/notes/${nth}`,
          content: `Words ${nth}`,
          inReplyTo: `${ours}/videos/watch/${uuid}`,
          attributedTo: alice.url,
          published: "2026-01-01T00:00:00.000Z",
          to: ["as:Public"],
          cc: []
        })
        const terms = {
          Hashtag: "as:Hashtag",
          pt: "https://joinpeertube.org/ns#",
          replyApproval: { "@id": "pt:replyApproval" }
        }
        const said = yield* signed(alice, "Create", note(1), [terms])
        const gone = yield* signed(alice, "Delete", note(1).id)
        // Others could read this one as something we have said.
        yield* signed(alice, "Create", note(2), [{ speaker: "as:actor" }])
        yield* until(
          "both are sent on",
          Effect.sync(() => [said, gone].every(({ id: uri }) => peer.received.some(({ json }) => json.id === uri)))
        )
        for (const document of [said, gone]) {
          const sent = peer.received.find(({ json }) => json.id === document.id)!
          assert.deepStrictEqual(sent.json, document, "with its context and its signature")
          assert.strictEqual((yield* verifiedBy(peer, sent)).actor, `${ours}/accounts/peertube`)
        }

        const [author] = yield* sql<{ id: number }>`
          select o.id from account o join actor a on a.id = o.actor_id where a.url = ${alice.url}`
        const more = Array.from({ length: 150 }, (_, n) => ({ url: `${far.origin}/more/${n + 1}` }))
        yield* remoteComments(id, author!.id, more)
        yield* signed(alice, "Delete", alice.url)
        far.serve("/accounts/alice", {}, 410)
        assert.strictEqual((yield* far.post(alice, "Create", note(3))).status, 403, "nobody is left to have said it")
        yield* until(
          "nothing is left",
          Effect.map(sql`select 1 from actor where url = ${alice.url}`, (rows) => rows.length === 0)
        )
        assert.deepStrictEqual(
          yield* sql`select id from video_comment where video_id = ${id} and deleted_at is null`,
          []
        )
        yield* until(
          "all is told",
          Effect.map(waiting(peer.host), (rows) => rows.length === 0)
        )
        const deleted = peer.received.filter(
          ({ json }) => json.type === "Delete" && json.actor === `${ours}/accounts/root`
        )
        assert.deepStrictEqual(
          new Set(deleted.map(({ json }) => json.object)),
          new Set([note(2).id, ...Array.from({ length: 150 }, (_, n) => `${far.origin}/more/${n + 1}`)])
        )
      })
  )

  it.effect("tell administrators why a host has not received something, and are tried when these say so", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Peers of the tests before are gone.
      for (const table of ["actor_follow", "delivery", "delivery_host"]) yield* sql.unsafe(`delete from ${table}`)
      const peer = yield* startPeer
      yield* addFollower(peer, "fan", "root_channel")
      yield* until(
        "it is accepted",
        Effect.map(waiting(peer.host), (rows) => rows.length === 0)
      )
      // Nobody listens there: it is told apart from a host that answers badly, and does not stop the others.
      const nowhere = { ...peer, host: "127.0.0.1:1" }
      yield* addFollower(nowhere, "fan", "root_channel")
      peer.answer = () => ({ status: 429, headers: { "retry-after": "120" } })
      yield* addVideo({ owner: "root" })
      const token = bearer((yield* login("root", rootPassword)).access_token)
      const hosts = "/api/v1/server/federation/hosts"
      const get = (path: string) => send(`${hosts}${path}`, token)
      yield* until(
        "one rests",
        Effect.map(get(`/${peer.host}`), ({ json }) => json?.state === "resting")
      )
      yield* until(
        "one fails",
        Effect.map(get(`/${nowhere.host}`), ({ json }) => json?.state === "failing")
      )

      const list = (yield* get("?state=failing&sort=host")).json
      assert.deepStrictEqual([list.total, list.data[0].host], [1, nowhere.host])
      assert.match(list.data[0].lastError, /Unreachable.*ECONNREFUSED/)
      assert.deepStrictEqual((yield* get(`?search=${peer.port}`)).json.total, 1)
      assert.deepStrictEqual(
        (yield* get(`?hostOneOf=${nowhere.host}&hostOneOf=unknown.example`)).json.data.map(
          (it: { readonly host: string }) => it.host
        ),
        [nowhere.host]
      )
      assert.strictEqual((yield* get("?hostOneOf=no_host")).status, 400)
      assert.strictEqual((yield* get("?state=asleep")).status, 400)
      assert.strictEqual((yield* get("/unknown.example")).status, 404)
      assert.strictEqual((yield* send(`${hosts}/unknown.example/retry`, { ...token, method: "POST" })).status, 404)
      assert.strictEqual((yield* send(hosts)).status, 401)

      const { json } = yield* get(`/${peer.host}`)
      assert.deepStrictEqual(
        [json.failures, json.failingSince, json.lastStatus, json.followers, json.signatureForm],
        [0, null, 429, 1, "cavage"]
      )
      assert.isAbove(Date.parse(json.nextAttemptAt), Date.parse(json.lastAttemptAt) + 100_000)
      assert.strictEqual(json.deliveries.length, json.waiting)
      assert.deepStrictEqual(
        [json.deliveries[0].type, json.deliveries[0].inbox, json.deliveries[0].lastError],
        ["Announce", `http://${peer.host}/inbox`, "The inbox answered 429."]
      )

      peer.answer = () => ({ status: 204 })
      const before = peer.received.length
      assert.strictEqual((yield* send(`${hosts}/${peer.host}/retry`, { ...token, method: "POST" })).status, 204)
      yield* until(
        "it is told",
        Effect.map(waiting(peer.host), (rows) => rows.length === 0)
      )
      assert.isAbove(peer.received.length, before)
      const healed = yield* get(`/${peer.host}`)
      assert.deepStrictEqual([healed.json.state, healed.json.waiting, healed.json.deliveries], ["well", 0, []])

      // What has waited for a week is given up, and what is done is forgotten.
      yield* sql`update delivery set created_at = now() - interval '8 days'`
      yield* sql`update activity set created_at = now() - interval '8 days'`
      const upkeep = yield* OutboxUpkeep
      assert.isFalse(yield* upkeep.prune)
      assert.deepStrictEqual(yield* sql`select id from activity`, [])
      assert.deepStrictEqual(yield* waiting(nowhere.host), [])
    })
  )
})
