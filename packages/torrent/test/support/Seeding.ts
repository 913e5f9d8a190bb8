import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import TrackerServer from "bittorrent-tracker/server"

/** The tracker of another project, over http and udp on 127.0.0.1. */
export const tracker: Effect.Effect<
  { readonly http: string; readonly udp: string; readonly seeders: (infoHash: string) => number },
  never,
  Scope.Scope
> = Effect.acquireRelease(
  Effect.callback<TrackerServer>((resume) => {
    const server = new TrackerServer({ http: true, udp: true, ws: false, stats: false })
    server.on("error", () => {})
    server.on("warning", () => {})
    server.listen(0, { http: "127.0.0.1", udp: "127.0.0.1", udp6: "::1" }, () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
).pipe(
  Effect.map((server) => ({
    http: `http://127.0.0.1:${server.http.address().port}/announce`,
    udp: `udp://127.0.0.1:${server.udp.address().port}`,
    seeders: (infoHash) => server.torrents[infoHash]?.complete ?? 0
  }))
)

/** An independent client that seeds files from a folder, until the scope ends. */
export const seeder = Effect.fnUntraced(function* (options: {
  readonly folder: string
  readonly torrent: Uint8Array
  readonly files: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly bytes: Uint8Array }>
  readonly tracker: string
}) {
  const { folder } = options
  const file = join(folder, "seeded.torrent")
  yield* Effect.promise(async () => {
    for (const { path, bytes } of options.files) {
      await mkdir(dirname(join(folder, ...path)), { recursive: true })
      await writeFile(join(folder, ...path), bytes)
    }
    await writeFile(file, options.torrent)
  })
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "aria2c",
        [
          "--no-conf",
          "--quiet",
          `--dir=${folder}`,
          "--interface=127.0.0.1",
          "--listen-port=20000-29999",
          "--enable-dht=false",
          "--enable-dht6=false",
          "--bt-enable-lpd=false",
          "--enable-peer-exchange=false",
          "--bt-hash-check-seed=true",
          "--check-integrity=true",
          "--seed-ratio=0.0",
          "--seed-time=10",
          `--bt-tracker=${options.tracker}`,
          file
        ],
        { stdio: "ignore" }
      )
    ),
    (child: ChildProcess) =>
      Effect.callback<void>((resume) => {
        child.once("exit", () => resume(Effect.void))
        if (child.exitCode !== null || child.signalCode !== null) resume(Effect.void)
        child.kill("SIGKILL")
      })
  )
})
