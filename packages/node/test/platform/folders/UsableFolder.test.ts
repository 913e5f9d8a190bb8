import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { usableFolder } from "../../../src/platform/folders/UsableFolder.ts"

describe("a folder that is needed", () => {
  it.live("is made with all above it", () =>
    Effect.gen(function* () {
      const parent = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-folder-")))
      yield* usableFolder(join(parent, "a/b"))
      assert.isTrue(existsSync(join(parent, "a/b")))
      yield* Effect.promise(() => rm(parent, { recursive: true }))
    })
  )

  it.live("is refused in one sentence where none can be made", () =>
    Effect.gen(function* () {
      const parent = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-folder-")))
      yield* Effect.promise(() => writeFile(join(parent, "file"), ""))
      for (const [folder, reason] of [
        ["/proc/kinora/data", "no folder can be made there"],
        [join(parent, "file"), "a file stands in its way"],
        [join(parent, "file/below"), "a file stands in its way"]
      ] as const) {
        const { message } = yield* Effect.flip(usableFolder(folder))
        assert.strictEqual(
          message,
          `The folder ${folder} cannot be written: ${reason}. Give it to the user Kinora runs as, or set another one.`
        )
      }
      yield* Effect.promise(() => rm(parent, { recursive: true }))
    })
  )
})
