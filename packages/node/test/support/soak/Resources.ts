import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** Memory of a node at a moment, MiB. `heap` is the part of V8's heap in use; `anonymous` all memory that is no file's. */
export interface Memory {
  /** Milliseconds since the first of the samples. */
  readonly at: number
  readonly heap: number
  readonly resident: number
  readonly anonymous: number
}

const ofStatus = (pid: number, name: string): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Descriptors of a process by what they are. */
export const descriptors = (pid: number): Readonly<Record<"sockets" | "files" | "others", number>> => {
  const found = { sockets: 0, files: 0, others: 0 }
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
      found[target.startsWith("socket:") ? "sockets" : target.startsWith("/") ? "files" : "others"] += 1
    } catch {
      // It was closed meanwhile.
    }
  }
  return found
}

export const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0)

/** Looks at the memory of a node every few seconds, whose metrics are at `metrics`, until it is stopped. */
export const sampleMemory = (pid: number, metrics: string, everyMillis = 2_000) => {
  const samples: Array<Memory> = []
  const from = performance.now()
  const look = async () => {
    const text = await (await fetch(metrics)).text()
    const heap = Number(/^nodejs_heap_size_used_bytes ([\d.e+]+)$/m.exec(text)?.[1]) / 1024 ** 2
    const at = performance.now() - from
    samples.push({ at, heap, resident: ofStatus(pid, "VmRSS"), anonymous: ofStatus(pid, "RssAnon") })
  }
  const timer = setInterval(() => void look().catch(() => undefined), everyMillis)
  return {
    last: () => samples.at(-1),
    stop: async (): Promise<ReadonlyArray<Memory>> => {
      clearInterval(timer)
      await look()
      return samples
    }
  }
}

/** The least of each whole minute: of the heap, what is left after its collections. Less than a minute is given as one. */
export const byMinute = (samples: ReadonlyArray<Memory>): ReadonlyArray<Memory> => {
  const whole = Math.max(1, Math.floor((samples.at(-1)?.at ?? 0) / 60_000))
  const minutes = Map.groupBy(
    samples.filter(({ at }) => at < whole * 60_000),
    ({ at }) => Math.floor(at / 60_000)
  )
  return [...minutes].map(([minute, all]) => {
    const least = (name: keyof Memory) => Math.min(...all.map((sample) => sample[name]))
    return { at: minute * 60_000, heap: least("heap"), resident: least("resident"), anonymous: least("anonymous") }
  })
}

/** MiB that memory grows by in an hour: the line nearest to the samples by least squares. */
export const slopeOf = (samples: ReadonlyArray<Memory>, name: "heap" | "resident" | "anonymous"): number => {
  const mean = (of: keyof Memory) => sum(samples.map((sample) => sample[of])) / samples.length
  const [at, value] = [mean("at"), mean(name)]
  const together = sum(samples.map((sample) => (sample.at - at) * (sample[name] - value)))
  return (together / sum(samples.map((sample) => (sample.at - at) ** 2))) * 3_600_000
}
