import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { PlayerServer, webFiles } from "./support/PagesServer.ts"
import { makeVideo } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

const program = "/usr/bin/yt-dlp"
const isInstalled = spawnSync(program, ["--version"]).status === 0

/** What yt-dlp, as people have it, prints of an address. */
const printed = (address: string) =>
  Effect.callback<string>((resume) => {
    const print = "%(title)s | %(duration)s | %(url)s"
    const args = ["--ignore-config", "--no-cache-dir", "--simulate", "--print", print, address]
    execFile(program, args, { timeout: 60_000 }, (error, out) =>
      resume(error === null ? Effect.succeed(out.trim()) : Effect.die(error))
    )
  })

layer(PlayerServer, { excludeTestServices: true, timeout: 60_000 })("yt-dlp", (it) => {
  it.effect.skipIf(!isInstalled)("finds name, length and file by the address of a page or player", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const files = webFiles(origin)
      const { shortUUID, uuid } = add(makeVideo(origin, 70, { name: "Plainly named", files }))
      for (const path of [`/w/${shortUUID}`, `/videos/watch/${uuid}`, `/videos/embed/${uuid}`]) {
        const found = yield* printed(origin + path)
        assert.match(found, /^Plainly named \| 10(?:\.0)? \| http/, path)
        assert.include(found, files[0]!.fileUrl, path)
      }
    })
  )
})
