import { assert, layer } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Torrent } from "@kinora/torrent/metainfo/Torrent"
import { Effect, FileSystem, Layer, Schedule, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { baseUrl } from "../../instance/about/TestNode.ts"
import { Swarms } from "../../../../torrent/src/tracker/Swarms.ts"
import { sharedVideo, trackerNode } from "./TrackerNode.ts"

const suite = Torrent.layer.pipe(Layer.provideMerge(Layer.merge(trackerNode(), NodeServices.layer)))

const alone = [
  "--no-conf",
  "--interface=127.0.0.1",
  "--enable-dht=false",
  "--enable-dht6=false",
  "--bt-enable-lpd=false",
  "--enable-peer-exchange=false",
  "--disable-ipv6=true",
  "--file-allocation=none",
  "--allow-overwrite=true"
]

layer(suite, { excludeTestServices: true, timeout: 60_000 })("aria2c", (it) => {
  it.effect(
    "gets a file from another that it found through the tracker alone",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
        const sql = yield* SqlClient
        const swarms = yield* Swarms
        const base = yield* baseUrl
        const [there, here] = [yield* fs.makeTempDirectoryScoped(), yield* fs.makeTempDirectoryScoped()]
        const content = randomBytes(300_000)
        yield* fs.writeFile(`${there}/clip.mp4`, content)
        const made = yield* (yield* Torrent).create({
          file: `${there}/clip.mp4`,
          name: "clip.mp4",
          announce: [`${base}/tracker/announce`],
          webSeeds: []
        })
        const video = yield* sharedVideo()
        yield* sql`update video_file set info_hash = ${made.infoHash} where id = ${video.fileId}`
        yield* fs.writeFile(`${there}/clip.torrent`, made.bytes)
        const run = (folder: string, more: ReadonlyArray<string>) =>
          spawner.spawn(ChildProcess.make("aria2c", [...alone, `--dir=${folder}`, ...more, `${there}/clip.torrent`]))

        yield* run(there, ["--check-integrity=true", "--seed-ratio=0.0"])
        yield* Effect.sync(() => swarms.figures(made.infoHash).complete).pipe(
          Effect.repeat({ until: (count) => count === 1, schedule: Schedule.spaced("50 millis") }),
          Effect.timeout("20 seconds")
        )
        const viewer = yield* run(here, ["--seed-time=0"])
        const log = yield* viewer.stdout.pipe(Stream.decodeText(), Stream.mkString)
        assert.strictEqual(yield* viewer.exitCode, 0, log)
        assert.isTrue(content.equals(yield* fs.readFile(`${here}/clip.mp4`)))
      }).pipe(Effect.scoped),
    60_000
  )
})
