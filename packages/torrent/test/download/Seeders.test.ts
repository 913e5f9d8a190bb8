import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { until } from "../support/Until.ts"
import { downloading, folder } from "../support/Downloading.ts"
import { infoOf, torrentOf } from "../support/MakeTorrent.ts"
import { seeder, tracker } from "../support/Seeding.ts"

const maxBytes = 100_000_000

describe("seeders", () => {
  it.live("downloads a torrent, and the same by its magnet address, from another client (FET-11)", () =>
    Effect.gen(function* () {
      const trackers = yield* tracker
      const downloads = yield* downloading()
      const place = yield* folder
      const video = randomBytes(3_000_001)
      const files = [{ path: ["a video.mp4"], bytes: video }]
      const made = torrentOf(infoOf(files, 65_536), { announce: trackers.http })
      yield* seeder({ folder: place, torrent: made.torrent, files, tracker: trackers.http })
      yield* until(() => trackers.seeders(made.infoHash) > 0)

      const seen: Array<number> = []
      const first = yield* downloads.download({
        source: { torrent: made.torrent },
        file: join(place, "1"),
        maxBytes,
        onProgress: (fraction) => Effect.sync(() => void seen.push(fraction))
      })
      assert.deepStrictEqual(first, { name: "a video.mp4", size: video.length })
      assert.isTrue(video.equals(yield* Effect.promise(() => readFile(join(place, "1")))))
      assert.strictEqual(seen.at(-1), 1)

      const magnet = made.magnet(`&dn=other&tr=${encodeURIComponent(trackers.udp)}`)
      const second = yield* downloads.download({ source: { magnet }, file: join(place, "2"), maxBytes })
      assert.deepStrictEqual(second, first)
      assert.isTrue(video.equals(yield* Effect.promise(() => readFile(join(place, "2")))))
    }).pipe(Effect.scoped)
  )

  it.live("downloads the video alone out of a folder whose pieces it shares with other files", () =>
    Effect.gen(function* () {
      const trackers = yield* tracker
      const downloads = yield* downloading()
      const place = yield* folder
      const video = randomBytes(500_003)
      const files = [
        { path: ["a.txt"], bytes: randomBytes(40_001) },
        { path: ["film", "b.webm"], bytes: video },
        { path: ["film", "c.srt"], bytes: randomBytes(1_000_003) }
      ]
      const made = torrentOf(infoOf(files, 65_536, "album"))
      const seeded = files.map((it) => ({ ...it, path: ["album", ...it.path] }))
      yield* seeder({ folder: place, torrent: made.torrent, files: seeded, tracker: trackers.http })
      yield* until(() => trackers.seeders(made.infoHash) > 0)
      const magnet = made.magnet(`&tr=${encodeURIComponent(trackers.http)}`)
      const got = yield* downloads.download({ source: { magnet }, file: join(place, "1"), maxBytes: video.length })
      assert.deepStrictEqual(got, { name: "b.webm", size: video.length })
      assert.isTrue(video.equals(yield* Effect.promise(() => readFile(join(place, "1")))))
    }).pipe(Effect.scoped)
  )
})
