import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Old objects are collected after growing by this percentage since the last collection. By default V8 lets them grow up to fourfold. */
const oldGrowth = 40
/** Maximum bytes of the young generation. V8's default is 128 MiB. */
const maxYoungBytes = 32 * 1024 * 1024

const youngSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0

/**
 * Keeps V8's heap close to the size of its live objects. While the node waits for thousands of hosts, for seconds each,
 * all objects become old before they die. By default V8 sizes its heap by the machine's memory: a node of 60 MiB would
 * grow to 350 MiB before a collection. V8 reads its limit of the young generation before any of our code runs, so we
 * allow or forbid growth after each collection instead.
 */
export const boundHeap = (): void => {
  setFlagsFromString(`--heap-growing-percent=${oldGrowth}`)
  let grows = true
  new PerformanceObserver(() => {
    const may = youngSpace() < maxYoungBytes
    if (may === grows) return
    grows = may
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  }).observe({ entryTypes: ["gc"] })
}
