import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import { WorkFolders } from "../../src/work/WorkFolders.ts"
import { testConfig } from "../support/TestConfig.ts"

const holdOf = (uuid: string) => ({ origin: "http://a", runnerToken: "ptrt-1", jobToken: "ptrjt-1", uuid })

/** With 3000 bytes of room for all jobs. */
const folders = <A, E, R>(use: (directory: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const directory = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
    const layer = WorkFolders.layer.pipe(Layer.provide(testConfig(directory)))
    return yield* use(directory).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

it.live("bounds what is written, whatever was set aside", () =>
  folders(() =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { open } = yield* WorkFolders
      const one = yield* open(holdOf(randomUUID()))
      const two = yield* open(holdOf(randomUUID()))
      yield* one.reserve("source", 600)
      assert.include((yield* Effect.flip(two.reserve("source", 600))).message, "600 bytes")
      yield* two.reserve("source", 300)
      // Tries after the first, as of a download that was cut off, are for the same file.
      yield* one.reserve("source", 600)
      yield* two.reserve("sound", 100)
      assert.include((yield* Effect.flip(two.reserve("picture", 1))).message, "1 bytes")
      const other = Effect.timeoutOption(two.guard, "300 millis")
      yield* fs.makeDirectory(`${one.path}/.encode-1`)
      yield* fs.writeFileString(`${one.path}/.encode-1/144.mp4`, "x".repeat(1500))
      assert.isTrue(Option.isNone(yield* Effect.timeoutOption(one.guard, "300 millis")))
      // More than it set aside, with what the other did more than there is.
      yield* fs.writeFileString(`${one.path}/.encode-1/sound.mp4`, "x".repeat(700))
      const error = yield* Effect.flip(one.guard)
      // Only the one that took more has to go.
      assert.isTrue(Option.isNone(yield* other))
      assert.deepStrictEqual([error._tag, error.message.includes("not enough free space")], ["CannotWork", true])
    })
  )
)

it.live("leaves nothing behind, whether the job ends or the process does", () =>
  folders((directory) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { open, sweep } = yield* WorkFolders
      const ended = holdOf(randomUUID())
      yield* Effect.scoped(Effect.flatMap(open(ended), ({ path }) => fs.writeFileString(`${path}/source`, "x")))
      assert.deepStrictEqual(yield* fs.readDirectory(`${directory}/work`), [])

      const killed = holdOf(randomUUID())
      const { jobToken, origin, runnerToken, uuid } = killed
      yield* fs.makeDirectory(`${directory}/work/${uuid}/.encode-1`, { recursive: true })
      yield* fs.writeFileString(
        `${directory}/work/${uuid}/job.json`,
        JSON.stringify({ jobToken, origin, runnerToken, uuid })
      )
      // Killed while it noted what it holds, and something that is no job's.
      yield* fs.makeDirectory(`${directory}/work/${randomUUID()}`)
      yield* fs.writeFileString(`${directory}/work/stray`, "x")
      assert.deepStrictEqual(yield* sweep, [killed])
      assert.deepStrictEqual(yield* fs.readDirectory(`${directory}/work`), [])
    })
  )
)
