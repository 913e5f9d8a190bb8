import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const module = new URL("../../../src/platform/supervision/HeapBounds.ts", import.meta.url).href

/** Lets things live for a while, as what waits for others does, and says what the heap's spaces came to, in MiB. */
const program = (bounded: boolean) => `
import { getHeapSpaceStatistics } from "node:v8"
import { setImmediate } from "node:timers/promises"
import { boundHeap } from ${JSON.stringify(module)}
if (${bounded}) boundHeap()
const kept = []
const most = { new_space: 0, old_space: 0 }
for (let n = 0; n < 1_500_000; n++) {
  kept[n % 300_000] = { n, of: [n], text: "x" + n }
  if (n % 2_000 !== 0) continue
  await setImmediate()
  for (const { space_name, space_size } of getHeapSpaceStatistics()) {
    if (space_name in most) most[space_name] = Math.max(most[space_name], space_size / 1048576)
  }
}
console.log(JSON.stringify(most))`

const spaces = async (bounded: boolean) => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program(bounded)])
  return JSON.parse(stdout) as { readonly new_space: number; readonly old_space: number }
}

it("keeps V8's heap near what is alive in it", async () => {
  const [bounded, free] = await Promise.all([spaces(true), spaces(false)])
  assert.isAtMost(bounded.new_space, 33)
  assert.isBelow(bounded.new_space + bounded.old_space, 0.8 * (free.new_space + free.old_space))
}, 30_000)
