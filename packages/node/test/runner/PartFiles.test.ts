import { assert, it } from "@effect/vitest"
import { RunnerLadders } from "@kinora/storage/runner/RunnerLadders"
import { Effect, Layer, Scope, Exit } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { statfs } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PartFiles } from "../../src/runner/parts/PartFiles.ts"
import { UploadSettings } from "../../src/video/staging/UploadSettings.ts"

/** What others write to the disk meanwhile must not matter. */
const leeway = 512 * 1024 ** 2

it.live("gives the same room to one ladder alone that is being cut", () =>
  Effect.gen(function* () {
    const directory = mkdtempSync(join(tmpdir(), "kinora-room-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(directory, { recursive: true })))
    const { bavail, bsize } = yield* Effect.promise(() => statfs(directory))
    const settings = Layer.succeed(UploadSettings, { directory, reserveDisk: 0 } as UploadSettings["Service"])
    const layer = PartFiles.layer.pipe(Layer.provide([settings, Layer.mock(RunnerLadders)({})]))
    yield* Effect.gen(function* () {
      const { open } = yield* PartFiles
      const most = Math.floor((bavail * bsize - leeway) * 0.7)
      const scopes = yield* Effect.all([Scope.make(), Scope.make()])
      const opened = yield* Effect.forEach(scopes, (scope, n) => Scope.provide(open(n, most), scope), {
        concurrency: "unbounded"
      })
      const folder = opened.find((it) => it !== undefined)!
      assert.lengthOf(
        opened.filter((it) => it === undefined),
        1
      )
      const little = Math.floor(bavail * bsize * 0.1)
      assert.isString(yield* Effect.scoped(open(2, little)))
      writeFileSync(join(folder, "cut.nut"), "x")
      // Once it is cut, the room is what the disk says.
      yield* Effect.forEach(scopes, (scope) => Scope.close(scope, Exit.void))
      assert.isString(yield* Effect.scoped(open(3, most)))
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)
)
