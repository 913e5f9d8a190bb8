import { assert, describe, it } from "@effect/vitest"
import { Client } from "bittorrent-dht"
import { Effect, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { createSocket } from "node:dgram"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { downloading, folder } from "../support/Downloading.ts"
import { bencode, infoOf, torrentOf } from "../support/MakeTorrent.ts"
import { extended, give, greeting, haveAll, peer, unchoke } from "../support/Peer.ts"

const maxBytes = 1_000_000
const pieceLength = 32_768
const video = randomBytes(100_000)
const made = torrentOf(infoOf([{ path: ["video.mp4"], bytes: video }], pieceLength))
const source = { magnet: made.magnet() }

/** A node of another project's. */
const node = (bootstrap: false | ReadonlyArray<string>): Effect.Effect<Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Client>((resume) => {
      const client = new Client({ bootstrap })
      client.on("error", () => {})
      client.listen(0, "127.0.0.1", () => resume(Effect.succeed(client)))
    }),
    (client) => Effect.callback<void>((resume) => client.destroy(() => resume(Effect.void)))
  )

const seed = peer(
  (socket) => {
    const size = made.info.length
    socket.write(
      Buffer.concat([
        greeting(made.infoHash),
        extended(0, `d1:md11:ut_metadatai1ee13:metadata_sizei${size}ee`),
        extended(1, Buffer.concat([Buffer.from("d8:msg_typei1e5:piecei0ee"), made.info])),
        haveAll,
        unchoke
      ])
    )
  },
  (socket, asked) => give(socket, video, pieceLength, asked)
)

describe("the DHT", () => {
  it.live("tells the peers of a magnet address that names nobody", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const first = yield* node(false)
      const start = `127.0.0.1:${first.address().port}`
      const others = yield* Effect.forEach([1, 2, 3], () => node([start]))
      const { endpoint } = yield* seed
      const port = Number(endpoint.split(":")[1])
      yield* Effect.callback<void>((resume) => {
        others[0]?.announce(made.infoHash, port, () => resume(Effect.void))
      })
      const downloads = yield* downloading({ dht: [start] })
      const got = yield* downloads.download({ source, file: join(place, "1"), maxBytes })
      assert.deepStrictEqual(got, { name: "video.mp4", size: video.length })
      assert.isTrue(video.equals(yield* Effect.promise(() => readFile(join(place, "1")))))
    }).pipe(Effect.scoped)
  )

  it.live("is not believed: noise, wrong answers and addresses nobody may ask (FET-01)", () =>
    Effect.gen(function* () {
      const place = yield* folder
      const answers = (transaction: Buffer) => {
        const id = randomBytes(20)
        const to = (...bytes: ReadonlyArray<number>) => Buffer.from(bytes)
        const right = {
          id,
          nodes: Buffer.concat([id, to(10, 0, 0, 1, 0x1a, 0xe1), id, to(127, 0, 0, 1, 0, 53)]),
          values: [to(10, 0, 0, 1, 0x1a, 0xe1), to(169, 254, 169, 254, 0x1f, 0x90), to(1)]
        }
        return [
          Buffer.from("l-3:e"),
          randomBytes(100),
          bencode({ t: "nope", y: "r", r: right }),
          bencode({ t: transaction, y: "q", q: "ping", a: { id } }),
          bencode({ t: transaction, y: "r", r: { id: "short" } }),
          bencode({ t: transaction, y: "r", r: right })
        ]
      }
      const asked: Array<Buffer> = []
      const port = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createSocket>>((resume) => {
          const socket = createSocket("udp4")
          socket.on("message", (message, from) => {
            asked.push(message)
            const transaction = message.subarray(message.indexOf("1:t4:") + 5).subarray(0, 4)
            for (const answer of answers(transaction)) socket.send(answer, from.port, from.address)
          })
          socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
        }),
        (socket) => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
      ).pipe(Effect.map((socket) => socket.address().port))
      const downloads = yield* downloading({ dht: [`127.0.0.1:${port}`], metadataMillis: 1_500 })
      const failed = yield* Effect.flip(downloads.download({ source, file: join(place, "1"), maxBytes }))
      assert.deepInclude(failed, { _tag: "TorrentUnreachable", phase: "metadata" })
      assert.strictEqual(asked.length, 1)
    }).pipe(Effect.scoped)
  )
})
