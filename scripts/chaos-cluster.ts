/**
 * Disturbs three nodes of one instance while they are used: kills nodes, runners, PostgreSQL, Redis and S3, breaks and slows
 * their network, fills a disk, moves a clock, and compares what is there afterwards with what was acknowledged. Prints a line a
 * disturbance; ends with 1 when an invariant is broken (docs/reliability.md).
 *
 * `node scripts/chaos-cluster.ts [--disturbance NAME] [--rounds N] [--verbose]`: one disturbance or all, so many times.
 */
import { performance } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { ClusterStage } from "../packages/node/test/support/chaos/cluster/ClusterStage.ts"
import { type Disturbance, disturbances } from "../packages/node/test/support/chaos/cluster/Disturbances.ts"
import { Load } from "../packages/node/test/support/chaos/cluster/Load.ts"
import { kindsOf, type Outcome, trial } from "../packages/node/test/support/chaos/cluster/Trial.ts"
import { makeClip } from "../packages/node/test/support/chaos/Stage.ts"

const { values } = parseArgs({
  options: {
    disturbance: { type: "string", multiple: true },
    rounds: { type: "string", default: "1" },
    verbose: { type: "boolean", default: false }
  }
})

const chosen = disturbances.filter(({ name }) => values.disturbance?.includes(name) ?? true)
if (chosen.length === 0) {
  console.error(`There is no such disturbance. There are:\n${disturbances.map(({ name }) => name).join("\n")}`)
  process.exit(64)
}

const clip = makeClip()
let set: { readonly stage: ClusterStage; readonly load: Load } | undefined

let setting: Promise<unknown> | undefined
let stopping = false

const clear = async () => {
  await setting?.catch(() => undefined)
  const { load, stage } = set ?? {}
  set = undefined
  await load?.stop()
  await stage?.remove()
}

/** Nodes share their folders for what needs it; else they have object storage alone in common. */
const stageFor = async ({ shared = false }: Disturbance) => {
  if (set !== undefined && set.stage.parts.apart === shared) await clear()
  // A signal has removed it, and the program ends.
  if (stopping) return await new Promise<never>(() => {})
  if (set === undefined) {
    setting = setStage(!shared)
    await setting
  }
  return set!
}

const setStage = async (apart: boolean) => {
  const stage = await ClusterStage.create({ apart })
  try {
    set = { stage, load: await Load.create(stage, clip) }
  } catch (error) {
    console.error(stage.output)
    await stage.remove()
    throw error
  }
  set.load.watch()
}

const began = performance.now()
const seconds = (value: number | undefined) => (value === undefined ? "–" : `${value.toFixed(1)} s`)

const lineOf = ({ errors, faults, found, kinds, lastError, late, name, requests, takeOver }: Outcome): string => {
  const taken = takeOver === undefined ? "–" : `${seconds(takeOver.shards)}, ${seconds(takeOver.jobs)}`
  const counts = [found.lost, found.files, found.twice].map(({ length }) => length).join(" | ")
  const outcome = faults.length > 0 ? `${faults.length} faults` : late.length > 0 ? "late" : "ok"
  const trouble = errors === 0 ? "0" : `${errors}: ${kindsOf(kinds)}`
  return `| ${name} | ${requests} | ${trouble} | ${seconds(lastError)} | ${taken} | ${counts} | ${found.unused} | ${outcome} |`
}

const attempt = async (disturbance: Disturbance): Promise<boolean> => {
  const { load, stage } = await stageFor(disturbance)
  const why = disturbance.impossible?.(stage)
  if (why !== undefined) {
    console.log(`| ${disturbance.name} | not tried: ${why} |`)
    return true
  }
  const tell = (phase: string) =>
    void (
      values.verbose &&
      console.error(`${((performance.now() - began) / 1000).toFixed(1)} s: ${disturbance.name}: ${phase}`)
    )
  const output = () => (values.verbose ? console.error(stage.output) : undefined)
  try {
    const outcome = await trial(stage, load, disturbance, tell)
    console.log(lineOf(outcome))
    const wrong = [...outcome.faults, ...outcome.late]
    for (const one of wrong.slice(0, 40)) console.error(`  ${one}`)
    if (outcome.faults.length === 0) return wrong.length === 0
    output()
  } catch (error) {
    console.log(`| ${disturbance.name} | ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)} |`)
    output()
  }
  // What one disturbance has spoilt is not blamed on the next.
  await clear()
  return false
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    stopping = true
    void clear().finally(() => process.exit(1))
  })
}

console.log(
  "| disturbance | requests | errors of viewers | last error | taken over: shards, jobs | lost writes | wrong files | duplicates | unused files | outcome |\n|---|---|---|---|---|---|---|---|---|---|"
)
let wrong = 0
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const disturbance of chosen) if (!(await attempt(disturbance))) wrong += 1
  }
} finally {
  await clear()
}
console.log(`\n${chosen.length * Number(values.rounds)} disturbances, ${wrong} wrong`)
process.exit(wrong === 0 ? 0 : 1)
