import { NodeServices } from "@effect/platform-node"
import { Clock, Duration, Effect, FileSystem, Layer, Option, Path } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { ClientAssets } from "../../../src/web-pages/ClientAssets.ts"

const repository = new URL("../../../../../", import.meta.url).pathname

/** What the browser files are made of. */
const parts = [
  "packages/web/build.ts",
  "packages/web/build",
  "packages/web/public",
  "packages/web/src",
  "packages/domain/src"
]

/** A name for the state of the sources. */
const stateOfSources = Effect.fnUntraced(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const state = createHash("sha256")
  for (const part of [...parts, "package-lock.json"]) {
    const whole = path.join(repository, part)
    const inside =
      (yield* fs.stat(whole)).type === "Directory" ? yield* fs.readDirectory(whole, { recursive: true }) : [""]
    for (const name of inside.toSorted()) {
      const file = path.join(whole, name)
      if ((yield* fs.stat(file)).type === "File") state.update(`${file}\0`).update(yield* fs.readFile(file))
    }
  }
  return state.digest("hex").slice(0, 16)
})

/** Removes what was built of sources as they were a day ago. */
const removeOld = Effect.fnUntraced(function* (cache: string) {
  const fs = yield* FileSystem.FileSystem
  const yesterday = (yield* Clock.currentTimeMillis) - Duration.toMillis("1 day")
  for (const name of yield* fs.readDirectory(cache)) {
    const { mtime } = yield* fs.stat(`${cache}/${name}`)
    if (Option.exists(mtime, (time) => time.getTime() < yesterday))
      yield* fs.remove(`${cache}/${name}`, { recursive: true })
  }
})

/** Builds the browser files into this folder of the cache; who comes second leaves it as it is. */
const build = Effect.fnUntraced(function* (cache: string, folder: string) {
  const fs = yield* FileSystem.FileSystem
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  yield* fs.makeDirectory(cache, { recursive: true })
  const output = `${yield* fs.makeTempDirectoryScoped({ directory: cache })}/web`
  const exit = yield* spawner.exitCode(
    ChildProcess.make("node", ["packages/web/build.ts", "--development", output], {
      cwd: repository,
      stdout: "ignore",
      stderr: "inherit"
    })
  )
  if (Number(exit) !== 0) return yield* Effect.die(`the web build exited with ${exit}`)
  yield* fs.rename(output, folder).pipe(
    Effect.catchIf(
      () => existsSync(folder),
      () => Effect.void
    )
  )
  yield* Effect.ignore(removeOld(cache))
}, Effect.scoped)

/** The browser files of the sources as they are: built once, and kept in `.cache` for the next test. */
export const BuiltClient = Layer.unwrap(
  Effect.gen(function* () {
    const cache = `${repository}.cache/test-web`
    const folder = `${cache}/${yield* stateOfSources()}`
    if (!existsSync(folder)) yield* build(cache, folder)
    return ClientAssets.layer(folder)
  })
).pipe(Layer.provide(NodeServices.layer))
