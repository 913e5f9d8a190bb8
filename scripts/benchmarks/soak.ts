/**
 * An hour of everybody at once at a steady pace: viewers, people who write, uploads, another instance, administrators. Every answer is
 * looked at; ends with 1 when one was wrong, or something is left. KINORA_BENCH_SOAK_PACE (1) multiplies how often everything is done.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { byMinute, slopeOf, sum } from "../../packages/node/test/support/soak/Resources.ts"
import { soak } from "../../packages/node/test/support/soak/Soak.ts"
import { root } from "./lib/Instance.ts"
import { percentile } from "./lib/Mix.ts"
import { type Figure, write } from "./lib/Report.ts"

const minutes = Number(process.argv[2] ?? process.env["KINORA_BENCH_SOAK_MINUTES"] ?? 60)
const pace = Number(process.env["KINORA_BENCH_SOAK_PACE"] ?? 1)
const from = Date.now()
const progress = (line: string) => console.log(`${((Date.now() - from) / 60_000).toFixed(1)} min: ${line}`)
const soaked = await soak({ seconds: minutes * 60, warmSeconds: Math.min(120, minutes * 20), pace, progress })

const { backlog, descriptors, memory, cores, tally, temporaryFiles } = soaked
const perMinute = byMinute(memory)
const half = perMinute.slice(Math.floor(perMinute.length / 2))
const rows = tally.all.map(({ count, errors, kind, times }) => {
  const sorted = times.toSorted((a, b) => a - b)
  return [kind, count, errors, percentile(sorted, 0.5).toFixed(1), percentile(sorted, 0.99).toFixed(1)].join(" | ")
})
const table = (head: ReadonlyArray<string>, body: ReadonlyArray<string>) =>
  [`| ${head.join(" | ")} |`, `|${head.map(() => "---|").join("")}`, ...body.map((row) => `| ${row} |`), ""].join("\n")
console.log(table(["kind", "count", "errors", "p50 ms", "p99 ms"], rows))
console.log(
  table(
    ["minute", "heap MiB", "resident MiB", "anonymous MiB"],
    perMinute.map((it) =>
      [it.at / 60_000, it.heap.toFixed(1), it.resident.toFixed(1), it.anonymous.toFixed(1)].join(" | ")
    )
  )
)

const left = sum(Object.values(backlog))
const open = (of: typeof descriptors.before) => sum(Object.values(of))
const growth = (name: "heap" | "resident" | "anonymous"): Figure => ({
  name: `${name} memory, least of each minute, second half`,
  value: slopeOf(half, name),
  unit: "MiB/h",
  note: `${half[0]?.[name].toFixed(1)} MiB at its begin, ${half.at(-1)?.[name].toFixed(1)} MiB at its end`
})
const none = { kind: "at most", value: 0 } as const
const figures: ReadonlyArray<Figure> = [
  {
    name: "acts",
    value: tally.all.reduce((all, { count }) => all + count, 0),
    unit: "",
    note: `the node took ${cores.toFixed(2)} cores; delivered: ${JSON.stringify(soaked.delivered)}`
  },
  { name: "errors", value: tally.errorCount, unit: "", goal: none },
  growth("heap"),
  growth("resident"),
  growth("anonymous"),
  { name: "rows left in queues", value: left, unit: "", goal: none, note: JSON.stringify(backlog) },
  {
    name: "more descriptors than before, at rest",
    value: open(descriptors.after) - open(descriptors.before),
    unit: "",
    goal: none,
    note: `${JSON.stringify(descriptors.before)}, then ${JSON.stringify(descriptors.after)}`
  },
  { name: "temporary files left", value: temporaryFiles.length, unit: "", goal: none, note: temporaryFiles.join(", ") }
]
write("soak", figures, { time: `${minutes} minutes`, pace: String(pace) })
writeFileSync(join(root, ".cache/bench/soak-memory.json"), JSON.stringify(memory))
if (tally.errorCount > 0 || left > 0 || temporaryFiles.length > 0) process.exitCode = 1
