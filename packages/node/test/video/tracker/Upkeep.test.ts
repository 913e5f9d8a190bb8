import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Swarms } from "../../../../torrent/src/tracker/Swarms.ts"
import { TorrentRules } from "../../../src/video/tracker/TorrentRules.ts"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { silentReader } from "./SilentReader.ts"
import { connect, next } from "./SocketClient.ts"
import { binary, newPeerId, sharedVideo, trackerNode } from "./TrackerNode.ts"

const announceOf = (infoHash: string, peerId: string, more: object = {}) => ({
  action: "announce",
  info_hash: binary(infoHash),
  peer_id: binary(peerId),
  event: "started",
  ...more
})

const peersOf = (infoHash: string) =>
  Effect.map(Swarms, (swarms) => {
    const { complete, incomplete } = swarms.figures(infoHash)
    return complete + incomplete
  })

const until = (infoHash: string, count: number) =>
  peersOf(infoHash).pipe(
    Effect.repeat({ until: (peers) => peers === count, schedule: Schedule.spaced("50 millis") }),
    Effect.timeout("15 seconds")
  )

layer(trackerNode(), { excludeTestServices: true, timeout: 60_000 })("Upkeep of the tracker", (it) => {
  it.effect("lets go of empty swarms, and of those whose video is closed", () =>
    Effect.gen(function* () {
      const swarms = yield* Swarms
      const sql = yield* SqlClient
      const [left, closed, kept] = [yield* sharedVideo(), yield* sharedVideo(), yield* sharedVideo()]
      const client = yield* connect()
      const id = newPeerId()
      for (const { web } of [left, closed, kept]) {
        client.send(announceOf(web, id))
        yield* next(client, (message) => "interval" in message)
      }
      client.send(announceOf(left.web, id, { event: "stopped" }))
      yield* next(client, (message) => "interval" in message)
      assert.deepStrictEqual(swarms.size(), { swarms: 3, peers: 2 })
      yield* sql`update video set privacy = 3 where id = ${closed.id}`
      const { allowed } = yield* TorrentRules
      yield* swarms
        .sweep(allowed)
        .pipe(
          Effect.repeat({ until: () => swarms.size().swarms < 2, schedule: Schedule.spaced("200 millis") }),
          Effect.timeout("20 seconds")
        )
      assert.deepStrictEqual([yield* peersOf(closed.web), yield* peersOf(kept.web)], [0, 1])
    })
  )

  it.effect(
    "cuts off who does not read what it is sent, and keeps little of it",
    () =>
      Effect.gen(function* () {
        const { web } = yield* sharedVideo()
        const port = Number(new URL(yield* baseUrl).port)
        const hello = JSON.stringify(announceOf(web, newPeerId(), { comment: "x".repeat(200) }))
        const socket = yield* Effect.acquireRelease(
          Effect.promise(() => silentReader(port, hello)),
          (it) => Effect.sync(() => it.destroy())
        )
        yield* until(web, 1)
        // Talkers that stay out of the swarm: each offer goes to the one peer in it, more than kernels keep for a socket.
        const talkers = yield* Effect.forEach(Array.from({ length: 12 }), () => connect())
        const offer = { offer: { type: "offer", sdp: "v".repeat(16_000) }, offer_id: "o" }
        const say = talkers.map((talker) => [talker, newPeerId()] as const)
        for (let i = 0; i < 95; i++) {
          for (const [talker, id] of say) talker.send(announceOf(web, id, { event: "stopped", offers: [offer] }))
        }
        yield* until(web, 0)
        assert.strictEqual(socket.isPaused(), true)
      }),
    60_000
  )
})
