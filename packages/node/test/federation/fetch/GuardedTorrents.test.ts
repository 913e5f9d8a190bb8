import { assert, describe, it } from "@effect/vitest"
import { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import type { FetchOptionsInput } from "@kinora/federation/fetch/FetchOptions"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { NameResolver } from "@kinora/federation/fetch/NameResolver"
import { TorrentDownloads } from "@kinora/torrent/download/TorrentDownloads"
import { Context, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { guardedTorrentNetwork } from "../../../src/federation/fetch/GuardedTorrentNetwork.ts"
import { origin } from "../../../../federation/test/fetch/support/Origin.ts"
import { folder } from "../../../../torrent/test/support/Downloading.ts"
import { infoOf, torrentOf } from "../../../../torrent/test/support/MakeTorrent.ts"
import { greeting, give, haveAll, peer, unchoke } from "../../../../torrent/test/support/Peer.ts"

const maxBytes = 100_000_000
const pieceLength = 65_536
const video = randomBytes(9_000_001)
const info = infoOf([{ path: ["video.mp4"], bytes: video }], pieceLength)

const downloading = (addresses: NonNullable<FetchOptionsInput["addresses"]>) => {
  const rules = FetchGuard.layerNoDeps({ userAgent: "Test/1.0", addresses }).pipe(
    Layer.provide(NameResolver.layerServers(["127.0.0.1:9"]))
  )
  const service = TorrentDownloads.layerOptions({ retryMillis: 100, dht: [] }).pipe(
    Layer.provide(guardedTorrentNetwork),
    Layer.provide(GuardedFetch.layerNoDeps),
    Layer.provide(rules)
  )
  return Effect.map(Layer.build(service), (context) => Context.get(context, TorrentDownloads))
}

describe("the network of torrents", () => {
  it.live("reaches web seeds in parts, trackers and peers, where the guard lets it", () =>
    Effect.gen(function* () {
      const downloads = yield* downloading("loopback")
      const place = yield* folder
      const host = yield* origin((request, response) => {
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")
        const [first, last] = [Number(range?.[1]), Number(range?.[2])]
        response
          .writeHead(206, { "content-range": `bytes ${first}-${last}/${video.length}` })
          .end(video.subarray(first, last + 1))
      })
      const seeded = torrentOf(info, { "url-list": host.url("/video.mp4") })
      const { infoHash } = torrentOf(info)
      const seeder = yield* peer(
        (socket) => socket.write(Buffer.concat([greeting(infoHash), haveAll, unchoke])),
        (socket, asked) => give(socket, video, pieceLength, asked)
      )
      const port = Number(seeder.endpoint.split(":")[1])
      const tracker = yield* origin((_, response) => {
        const head = Buffer.from("d8:intervali60e5:peers6:\x7f\0\0\x01", "latin1")
        response.end(Buffer.concat([head, Buffer.from([port >> 8, port & 0xff]), Buffer.from("e")]))
      })
      const tracked = torrentOf(info, { announce: tracker.url("/announce") })
      for (const [n, made] of [seeded, tracked].entries()) {
        const file = join(place, String(n))
        const got = yield* downloads.download({ source: { torrent: made.torrent }, file, maxBytes })
        assert.deepStrictEqual(got, { name: "video.mp4", size: video.length })
        assert.isTrue(video.equals(yield* Effect.promise(() => readFile(file))))
      }
      assert.isTrue(host.seen.length > 1 && host.seen.every((it) => /^bytes=\d+-\d+$/.test(it.headers.range ?? "")))
      assert.isAbove(seeder.connections(), 0)
    }).pipe(Effect.scoped)
  )

  it.live("asks nobody at private or public addresses for peers or pieces (FET-01, FET-11)", () =>
    Effect.gen(function* () {
      const place = yield* folder
      let count = 0
      const refused = (addresses: "public" | "loopback", source: { magnet: string } | { torrent: Buffer }) =>
        Effect.flatMap(downloading(addresses), (downloads) =>
          Effect.flip(downloads.download({ source, file: join(place, `${count++}`), maxBytes }))
        )
      const trackers = [
        "http://127.0.0.1:8080/a",
        "udp://127.0.0.1:6969",
        "udp://10.0.0.1:6969",
        "udp://93.184.216.34:53",
        "https://[::1]/"
      ]
      const seeds = ["https://127.0.0.1/", "https://10.1.1.1/", "http://93.184.216.34/", "https://[::ffff:127.0.0.1]/"]
      const peers = ["127.0.0.1:5432", "192.168.0.1:6881", "169.254.169.254:8080", "[::1]:6379", "93.184.216.34:25"]
      const peerSource = (peer: string) => ({ magnet: torrentOf(info).magnet(`&x.pe=${peer}`) })
      const cases = [
        ...trackers.map((it) => [it, "public", { torrent: torrentOf(info, { announce: it }).torrent }] as const),
        ...seeds.map((it) => [it, "public", { torrent: torrentOf(info, { "url-list": [it] }).torrent }] as const),
        ...peers.map((it) => [it, "public", peerSource(it)] as const),
        // Tests reach nobody outside.
        ...["93.184.216.34:6881", "10.0.0.1:6881"].map((it) => [it, "loopback", peerSource(it)] as const)
      ]
      yield* Effect.forEach(
        cases,
        ([name, addresses, source]) =>
          Effect.map(refused(addresses, source), (error) => assert.strictEqual(error._tag, "TorrentRefused", name)),
        { concurrency: "unbounded", discard: true }
      )
      assert.isEmpty(yield* Effect.promise(() => readdir(place)))
    }).pipe(Effect.scoped)
  )
})
