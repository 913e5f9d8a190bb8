import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import type { Socket } from "node:net"
import { join } from "node:path"
import { until } from "../support/Until.ts"
import { origin } from "../support/Origin.ts"
import { downloading, folder } from "../support/Downloading.ts"
import { bencode, infoOf, torrentOf } from "../support/MakeTorrent.ts"
import { extended, give, greeting, haveAll, message, numbers, peer, unchoke } from "../support/Peer.ts"

const maxBytes = 100_000_000
const pieceLength = 32_768
const video = randomBytes(200_000)
const info = infoOf([{ path: ["video.mp4"], bytes: video }], pieceLength)
const made = torrentOf(info)

/** Does something as soon as a condition holds. */
const when = (condition: () => boolean, act: () => void): void => {
  if (condition()) act()
  else setTimeout(() => when(condition, act), 10)
}

/** The torrent with peers of its own, its metadata told by the first of them. */
const magnetOf = (...peers: ReadonlyArray<string>) => made.magnet(peers.map((it) => `&x.pe=${it}`).join(""))

const telling = (socket: Socket) => {
  const size = made.info.length
  socket.write(
    Buffer.concat([
      greeting(made.infoHash),
      extended(0, `d1:md11:ut_metadatai1ee13:metadata_sizei${size}ee`),
      extended(1, Buffer.concat([Buffer.from(`d8:msg_typei1e5:piecei0e10:total_sizei${size}ee`), made.info])),
      haveAll,
      unchoke
    ])
  )
}

/** The torrent with a tracker that names some peers. */
const trackedBy = Effect.fnUntraced(function* (...peers: ReadonlyArray<string>) {
  const list = peers.map((it) => {
    const [host = "", port] = it.split(":")
    return Buffer.from([...host.split(".").map(Number), Number(port) >> 8, Number(port) & 0xff])
  })
  const host = yield* origin((_, response) => response.end(bencode({ interval: 60, peers: Buffer.concat(list) })))
  return torrentOf(info, { announce: host.url("/announce") })
})

const garbage: Readonly<Record<string, (hash: string) => Buffer>> = {
  "noise instead of a handshake": () => randomBytes(4_096),
  http: () => Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "the handshake of another torrent": () => greeting("ab".repeat(20)),
  "noise after the handshake": (hash) => Buffer.concat([greeting(hash), Buffer.alloc(4_096, 0xee)]),
  "a message of 4 GiB": (hash) => Buffer.concat([greeting(hash), numbers(0xffffffff), Buffer.alloc(64)]),
  "a message of 2 GiB": (hash) => Buffer.concat([greeting(hash), numbers(0x7fffffff), Buffer.alloc(64)]),
  "a piece out of range": (hash) => Buffer.concat([greeting(hash), message(4, numbers(0xffffffff))]),
  "a message cut short": (hash) => Buffer.concat([greeting(hash), message(7, numbers(0))]),
  "a block nobody asked for, too long": (hash) =>
    Buffer.concat([greeting(hash), message(7, numbers(0, 0), Buffer.alloc(17_000))]),
  "a handshake that is no bencode": (hash) => Buffer.concat([greeting(hash), extended(0, "d1:m")]),
  "a negative length, which never ends": (hash) => Buffer.concat([greeting(hash), extended(0, "l-3:e")]),
  "lists within lists": (hash) => Buffer.concat([greeting(hash), extended(0, "l".repeat(15_000))]),
  "what is no number where one is read": (hash) =>
    Buffer.concat([greeting(hash), extended(0, "d1:md1:xd8:toStringi5eeee")]),
  "metadata of another hash": (hash) =>
    Buffer.concat([
      greeting(hash),
      extended(0, "d1:md11:ut_metadatai1ee13:metadata_sizei4ee"),
      extended(1, "d8:msg_typei1e5:piecei0eexxxx")
    ]),
  "a part of the metadata of the wrong length": (hash) =>
    Buffer.concat([
      greeting(hash),
      extended(0, "d1:md11:ut_metadatai1ee13:metadata_sizei40000ee"),
      extended(1, "d8:msg_typei1e5:piecei0eexxxx")
    ]),
  "metadata of 4 GB": (hash) =>
    Buffer.concat([greeting(hash), extended(0, "d1:md11:ut_metadatai1ee13:metadata_sizei4000000000ee")]),
  "metadata that is no bencode": (hash) =>
    Buffer.concat([
      greeting(hash),
      extended(0, "d1:md11:ut_metadatai1ee13:metadata_sizei40000ee"),
      extended(1, "l-3:e")
    ])
}

describe("hostile peers", () => {
  it.live("leaves those that send garbage, and downloads from another (ZIP-05)", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      const bad = yield* Effect.forEach(Object.entries(garbage), ([name, bytes], n) =>
        Effect.map(
          peer((socket) => socket.write(bytes(made.infoHash)), undefined, `127.0.1.${n + 1}`),
          (it) => ({ name, ...it })
        )
      )
      // Gives nothing before the others had their say.
      const heardAll = () => bad.every((it) => it.connections() > 0 && it.open() === 0)
      const good = yield* peer(telling, (socket, asked) =>
        when(heardAll, () => give(socket, video, pieceLength, asked))
      )
      const got = yield* downloads.download({
        source: { magnet: magnetOf(...bad.map((it) => it.endpoint), good.endpoint) },
        file: join(place, "1"),
        maxBytes
      })
      assert.deepStrictEqual(got, { name: "video.mp4", size: video.length })
      assert.isTrue(video.equals(yield* Effect.promise(() => readFile(join(place, "1")))))
      for (const it of bad) assert.isAbove(it.connections(), 0, it.name)
      yield* until(() => bad.every((it) => it.open() === 0) && good.open() === 0)
      // Interested, requests, extensions, and never a piece.
      assert.isEmpty([...new Set(good.heard)].filter((kind) => ![2, 3, 6, 20].includes(kind)))
    }).pipe(Effect.scoped)
  )

  it.live("writes no wrong piece, and bans the address it came from", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      const other = randomBytes(video.length)
      const liar = yield* peer(
        (socket) => socket.write(Buffer.concat([greeting(made.infoHash), haveAll, unchoke])),
        (socket, asked) => give(socket, other, pieceLength, asked),
        "127.0.1.1"
      )
      const again = yield* peer(
        (socket) => socket.write(Buffer.concat([greeting(made.infoHash), haveAll, unchoke])),
        (socket, asked) => give(socket, other, pieceLength, asked),
        "127.0.1.1"
      )
      const good = yield* peer(
        (socket) => {
          socket.write(Buffer.concat([greeting(made.infoHash), haveAll]))
          when(
            () => liar.connections() > 0 && liar.open() + again.open() === 0,
            () => socket.write(unchoke)
          )
        },
        (socket, asked) => give(socket, video, pieceLength, asked)
      )
      yield* downloads.download({
        source: { torrent: (yield* trackedBy(liar.endpoint, good.endpoint, again.endpoint)).torrent },
        file: join(place, "1"),
        maxBytes
      })
      assert.isTrue(video.equals(yield* Effect.promise(() => readFile(join(place, "1")))))
      assert.strictEqual(liar.connections(), 1)
      assert.isAtMost(again.connections(), 1)
    }).pipe(Effect.scoped)
  )

  it.live("leaves those that stall, refuse, flood or stay choked, and ends when nobody is left", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading({
        handshakeMillis: 1_000,
        snubMillis: 1_000,
        chokedMillis: 1_000,
        stalledMillis: 4_000
      })
      const place = yield* folder
      const mute = yield* peer(() => {})
      const stalling = yield* peer((socket) => socket.write(Buffer.concat([greeting(made.infoHash), haveAll, unchoke])))
      const choking = yield* peer((socket) => socket.write(Buffer.concat([greeting(made.infoHash), haveAll])))
      const refusing = yield* peer(
        (socket) => socket.write(Buffer.concat([greeting(made.infoHash), haveAll, unchoke])),
        (socket, asked) => socket.write(message(16, numbers(...asked)))
      )
      const flooding = yield* peer((socket) => {
        socket.write(Buffer.concat([greeting(made.infoHash), haveAll]))
        const block = message(7, numbers(0, 0), Buffer.alloc(16_384))
        const more = () => {
          while (socket.writable && socket.write(block));
        }
        socket.on("drain", more)
        more()
      })
      const all = [mute, stalling, choking, refusing, flooding]
      const { torrent } = yield* trackedBy(...all.map((it) => it.endpoint))
      const failure = yield* Effect.flip(downloads.download({ source: { torrent }, file: join(place, "1"), maxBytes }))
      assert.deepInclude(failure, { _tag: "TorrentUnreachable", phase: "pieces" })
      assert.isFalse(existsSync(join(place, "1")))
      yield* until(() => all.every((it) => it.open() === 0))
      for (const it of [mute, stalling, refusing, flooding]) assert.isAbove(it.connections(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("closes every connection when it is interrupted, and leaves no file", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading()
      const place = yield* folder
      const stalling = yield* Effect.forEach([1, 2, 3], () =>
        peer((socket) => socket.write(Buffer.concat([greeting(made.infoHash), haveAll, unchoke])))
      )
      const { torrent } = yield* trackedBy(...stalling.map((it) => it.endpoint))
      const file = join(place, "1")
      const running = yield* Effect.forkScoped(downloads.download({ source: { torrent }, file, maxBytes }))
      yield* until(() => stalling.every((it) => it.open() > 0) && stalling.some((it) => it.heard.includes(6)))
      assert.isTrue(existsSync(file))
      yield* Fiber.interrupt(running)
      assert.isFalse(existsSync(file))
      yield* until(() => stalling.every((it) => it.open() === 0))
    }).pipe(Effect.scoped)
  )
})
