import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8"

/** Old objects are collected after growing by this percentage since the last collection. By default V8 lets them grow up to fourfold. */
const oldGrowth = 40
/**
 * Room that a heap gets where old objects are collected again and again: what media and files pass through in counts as old,
 * and each collection walks all that is alive. Bytes.
 */
const busyRoom = 64 * 1024 * 1024
/** Milliseconds from one collection to the next: of a heap that needs room, and of one that needs it no longer. */
const intervals = { busy: 4_000, quiet: 30_000 }
/** Maximum bytes of the young generation. V8's default is 128 MiB. */
const maxYoungBytes = 32 * 1024 * 1024

const youngSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0

/** Whether old objects were collected. The types of Node leave `detail` out. */
const isMajor = (entry: PerformanceEntry): boolean =>
  (entry as PerformanceEntry & { readonly detail: { readonly kind: number } }).detail.kind ===
  constants.NODE_PERFORMANCE_GC_MAJOR

/**
 * Keeps V8's heap close to the size of its live objects. While the node waits for thousands of hosts, for seconds each,
 * all objects become old before they die. By default V8 sizes its heap by the machine's memory: a node of 60 MiB would
 * grow to 350 MiB before a collection. V8 reads its limit of the young generation before any of our code runs, so we
 * allow or forbid growth after each collection instead. A node that is busy gets room.
 */
export const boundHeap = (): void => {
  let growth = oldGrowth
  let grows = true
  let collectedAt = Number.NEGATIVE_INFINITY
  setFlagsFromString(`--heap-growing-percent=${growth}`)

  const collected = (at: number) => {
    const interval = at - collectedAt
    collectedAt = at
    if (interval > intervals.busy && interval < intervals.quiet) return
    const room = Math.ceil((busyRoom / getHeapStatistics().used_heap_size) * 100)
    growth = interval < intervals.busy ? Math.max(oldGrowth, room) : oldGrowth
    setFlagsFromString(`--heap-growing-percent=${growth}`)
  }

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (isMajor(entry)) collected(entry.startTime)
    const may = youngSpace() < maxYoungBytes
    if (may === grows) return
    grows = may
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  }).observe({ entryTypes: ["gc"] })
}
