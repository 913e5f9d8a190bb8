import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { connect, next, SocketClient } from "./SocketClient.ts"
import { binary, newPeerId, sharedVideo, trackerNode } from "./TrackerNode.ts"
import { Swarms } from "../../../../torrent/src/tracker/Swarms.ts"

const description = (type: "offer" | "answer") => ({ type, sdp: `v=0 ${type}` })
const offers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ offer: description("offer"), offer_id: `offer ${i}` }))

const announceOf = (infoHash: string, peerId: string, more: object = {}) => ({
  action: "announce",
  info_hash: binary(infoHash),
  peer_id: binary(peerId),
  ...more
})

const isFailure = (message: object) => "failure reason" in message
const isReply = (message: object) => "interval" in message || isFailure(message)

layer(trackerNode(), { excludeTestServices: true })("The tracker over web sockets", (it) => {
  it.effect("passes an offer on, and its answer back", () =>
    Effect.gen(function* () {
      const { web } = yield* sharedVideo()
      const [seeder, viewer] = [yield* connect(), yield* connect()]
      const [seederId, viewerId] = [newPeerId(), newPeerId()]
      seeder.send(announceOf(web, seederId, { event: "started", left: 0, offers: offers(2) }))
      assert.deepInclude(yield* next(seeder, isReply), { complete: 1, incomplete: 0, info_hash: binary(web) })
      viewer.send(announceOf(web, viewerId, { event: "started", left: null, offers: offers(5) }))
      assert.deepInclude(yield* next(viewer, isReply), { complete: 1, incomplete: 1 })
      const offer = yield* next(seeder, (message) => "offer" in message)
      assert.deepStrictEqual(
        [offer.offer, offer.offer_id, offer.peer_id, offer.info_hash],
        [description("offer"), "offer 0", binary(viewerId), binary(web)]
      )
      seeder.send(
        announceOf(web, seederId, {
          answer: description("answer"),
          to_peer_id: binary(viewerId),
          offer_id: offer.offer_id
        })
      )
      const answer = yield* next(viewer, (message) => "answer" in message)
      assert.deepStrictEqual([answer.answer, answer.peer_id], [description("answer"), binary(seederId)])
      viewer.send({ action: "scrape", info_hash: [binary(web), binary("ab".repeat(20))] })
      const scrape = yield* next(viewer, (message) => message.action === "scrape")
      assert.deepStrictEqual(scrape.files, { [binary(web)]: { complete: 1, incomplete: 1, downloaded: 1 } })
      seeder.close()
      const swarms = yield* Swarms
      yield* Effect.sync(() => swarms.figures(web).complete).pipe(
        Effect.repeat({ until: (count) => count === 0, schedule: Schedule.spaced("20 millis") }),
        Effect.timeout("20 seconds")
      )
    })
  )

  it.effect("refuses torrents that are not ours, and names that are somebody else's", () =>
    Effect.gen(function* () {
      const secret = yield* sharedVideo({ privacy: 5, passwords: ["secret"] })
      const { web } = yield* sharedVideo()
      const client = yield* connect()
      const id = newPeerId()
      for (const hash of [secret.web, secret.hls, "ef".repeat(20)]) {
        client.send(announceOf(hash, id, { event: "started" }))
        assert.deepInclude(yield* next(client, isReply), {
          "failure reason": "this torrent is not tracked here",
          info_hash: binary(hash)
        })
      }
      client.send({ action: "scrape", info_hash: binary(secret.web) })
      assert.deepStrictEqual((yield* next(client, (message) => message.action === "scrape")).files, {})
      client.send(announceOf(web, newPeerId()))
      assert.deepInclude(yield* next(client, isReply), { "failure reason": "peer_id belongs to somebody else" })
      const outsider = yield* connect()
      outsider.send(announceOf(web, newPeerId(), { answer: description("answer"), to_peer_id: binary(id) }))
      assert.deepInclude(yield* next(outsider, isReply), { "failure reason": "announce first" })
    })
  )

  it.effect("a client that connects again takes its name with it", () =>
    Effect.gen(function* () {
      const { web } = yield* sharedVideo()
      const id = newPeerId()
      const [before, after] = [yield* connect(), yield* connect()]
      before.send(announceOf(web, id, { event: "started", left: 5 }))
      yield* next(before, isReply)
      after.send(announceOf(web, id, { event: "started", left: 5 }))
      assert.deepInclude(yield* next(after, isReply), { complete: 0, incomplete: 1 })
      before.close()
      yield* Effect.promise(() => before.closed)
      const other = yield* connect()
      other.send(announceOf(web, newPeerId(), { left: 5, offers: offers(1) }))
      assert.deepInclude(yield* next(other, isReply), { incomplete: 2 })
      yield* next(after, (message) => "offer" in message)
    })
  )

  it.effect("survives what is hostile (ZIP-10)", () =>
    Effect.gen(function* () {
      const { web } = yield* sharedVideo()
      const victim = yield* connect()
      victim.send(announceOf(web, newPeerId(), { event: "started" }))
      yield* next(victim, isReply)
      const client = yield* connect()
      const id = newPeerId()
      const bad: ReadonlyArray<unknown> = [
        "",
        "null",
        "[]",
        "{",
        "5",
        '"announce"',
        { action: "explode" },
        { action: "scrape" },
        { action: "scrape", info_hash: 5 },
        { action: "scrape", info_hash: [] },
        { action: "scrape", info_hash: Array(65).fill(binary(web)) },
        announceOf(web, id, { offers: [null, null] }),
        announceOf(web, id, { offers: { length: 50 } }),
        announceOf(web, id, { offers: offers(21) }),
        announceOf(web, id, { offers: Array(3_000).fill(0) }),
        announceOf(web, id, { event: "explode" }),
        announceOf(web, id, { event: ["started"] }),
        announceOf(web, id, { answer: { type: "answer", sdp: "x".repeat(20_000) }, to_peer_id: binary(id) }),
        announceOf(web, id, { answer: 1, to_peer_id: binary(id) }),
        { ...announceOf(web, id), info_hash: web },
        { ...announceOf(web, id), info_hash: "\u4e2d".repeat(20) },
        { ...announceOf(web, id), peer_id: { length: 20 } }
      ]
      for (const message of bad) {
        client.send(message)
        assert.deepInclude(
          yield* next(client, isFailure),
          { "failure reason": "no message of a tracker client" },
          JSON.stringify(message).slice(0, 80)
        )
      }
      client.send({
        ...announceOf(web, id, { offers: offers(20) }),
        socket: 1,
        type: "http",
        headers: 1,
        ip: "9.9.9.9"
      })
      assert.notProperty(yield* next(client, isReply), "failure reason")
      for (const event of ["stopped", "stopped", "completed", "paused", ""]) {
        client.send(announceOf(web, id, { event, left: "x" }))
        assert.notProperty(yield* next(client, isReply), "failure reason", event)
      }
      const large = yield* connect()
      large.send("x".repeat(70_000))
      assert.strictEqual(yield* Effect.promise(() => large.closed), 1009)
      const flood = yield* connect()
      for (let i = 0; i < 1_000; i++) flood.send("{}")
      assert.strictEqual(yield* Effect.promise(() => flood.closed), 1008)
      victim.send(announceOf(web, newPeerId()))
      yield* next(victim, isReply)
    })
  )

  it.effect("serves so many sockets of one client, and no more", () =>
    Effect.gen(function* () {
      const base = (yield* baseUrl).replace("http", "ws")
      const sockets = Array.from({ length: 203 }, () => new SocketClient(`${base}/tracker/socket`))
      const opened = yield* Effect.promise(() => Promise.all(sockets.map((socket) => socket.opened)))
      assert.isAtMost(opened.filter(Boolean).length, 200)
      assert.isAtLeast(opened.filter(Boolean).length, 180)
      for (const socket of sockets) socket.close()
      yield* Effect.promise(() => Promise.all(sockets.map((socket) => socket.closed)))
      yield* connect().pipe(
        Effect.flatMap((socket) => Effect.promise(() => socket.opened)),
        Effect.repeat({ until: (isOpen) => isOpen, schedule: Schedule.spaced("50 millis") }),
        Effect.timeout("20 seconds")
      )
    })
  )
})

layer(trackerNode({ tracker: { enabled: false } }), { excludeTestServices: true })("Switched off", (it) => {
  it.effect("no socket is opened", () =>
    Effect.gen(function* () {
      const client = yield* connect()
      assert.isFalse(yield* Effect.promise(() => client.opened))
    })
  )
})
