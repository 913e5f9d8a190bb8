import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeFileHandles } from "../../../src/platform/http/FileHandles.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "kinora-handles-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("Open files", () => {
  it.live("that nobody reads any more are closed, so that removed ones take no room", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "one.bin")
      writeFileSync(path, "one")
      const handles = makeFileHandles(4, 40)
      yield* Effect.addFinalizer(() => Effect.sync(handles.closeAll))
      const handle = yield* handles.acquire(path)
      rmSync(path)
      yield* Effect.sleep("150 millis")
      assert.strictEqual(handles.openCount(), 1)
      handles.release(handle)
      for (let n = 0; n < 100 && handles.openCount() > 0; n++) yield* Effect.sleep("20 millis")
      assert.strictEqual(handles.openCount(), 0)
      assert.isFalse(handles.retain(handle))
    }).pipe(Effect.scoped)
  )
})
