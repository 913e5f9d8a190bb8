import { PerformanceObserver } from "node:perf_hooks"
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"

/** Old objects are collected when they have grown by so many percent since the last time. V8 lets them grow fourfold. */
const oldGrowth = 40
/** Bytes of the space for young objects, beyond which it does not grow. V8 lets it grow to 128 MiB. */
const mostYoung = 32 * 1024 * 1024

const youngSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0

/**
 * Keeps V8's heap near what is alive in it. Where thousands of hosts are waited for, each for seconds, everything grows old
 * and then dies: by V8's own measure, which is that of a machine's whole memory, a node of 60 MiB would grow to 350 before
 * it looks. V8 reads its own bound of young objects before any of our code runs, so growing is allowed or not after each
 * collection.
 */
export const boundHeap = (): void => {
  setFlagsFromString(`--heap-growing-percent=${oldGrowth}`)
  let grows = true
  new PerformanceObserver(() => {
    const may = youngSpace() < mostYoung
    if (may === grows) return
    grows = may
    setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`)
  }).observe({ entryTypes: ["gc"] })
}
