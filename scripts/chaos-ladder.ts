/**
 * Kills each party of a ladder that runners make at each of its steps, starts it again, and looks for one result, no orphan
 * file, no duplicate and nothing left open. Prints a line a cell; ends with 1 when one is wrong.
 *
 * `node scripts/chaos-ladder.ts [--party NAME] [--step NAME] [--split | --alone] [--fresh] [--verbose]`: a column, a row or a
 * cell of the table; `--split` has the ladder made in parts, `--alone` by the instance as there are no runners, `--fresh`
 * gives each cell an instance of its own, `--verbose` tells how far it is.
 */
import { performance } from "node:perf_hooks"
import { parseArgs } from "node:util"
import { runCell, undisturbed } from "../packages/node/test/support/chaos/Cell.ts"
import { type Counts, leftovers } from "../packages/node/test/support/chaos/Ends.ts"
import { parties, type Party } from "../packages/node/test/support/chaos/Parties.ts"
import { atOnce, heights, makeClip, splitSeconds, splitting, Stage } from "../packages/node/test/support/chaos/Stage.ts"
import { type Step, steps } from "../packages/node/test/support/chaos/Steps.ts"

const { values } = parseArgs({
  options: {
    party: { type: "string" },
    step: { type: "string" },
    split: { type: "boolean", default: false },
    alone: { type: "boolean", default: false },
    fresh: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false }
  }
})

const chosen = <A extends { readonly name: string }>(kind: string, all: ReadonlyArray<A>, name: string | undefined) => {
  const found = all.filter((one) => name === undefined || one.name === name)
  if (found.length > 0) return found
  console.error(`There is no ${kind} ${name}: ${all.map((one) => one.name).join(", ")}`)
  process.exit(64)
}

const columns = chosen(
  "party",
  parties.filter(({ runners }) => !values.alone || runners !== true),
  values.party
)
const rows = chosen(
  "step",
  steps.filter(({ alone }) => !values.alone || alone === true),
  values.step
)
const env = { ...(values.split && splitting), ...(values.alone && atOnce) }

const clip = values.split ? makeClip(splitSeconds) : makeClip()

let set: { readonly stage: Stage; readonly usual: Counts; readonly external: boolean } | undefined

const clear = async () => {
  const { stage } = set ?? {}
  set = undefined
  await stage?.remove()
}

const stageFor = async (external: boolean) => {
  if (set?.external !== external) await clear()
  if (set === undefined) {
    const stage = await Stage.create({ external, env, alone: values.alone })
    try {
      set = { stage, usual: await undisturbed(stage, clip), external }
      if (values.split && set.usual["runner_job"]! <= heights.length + 1) throw new Error("the ladder was not split")
    } catch (error) {
      console.error(stage.output)
      await stage.remove()
      throw error
    }
  }
  return set
}

const began = performance.now()
const tell = (phase: string) =>
  void (values.verbose && console.error(`${((performance.now() - began) / 1000).toFixed(1)} s: ${phase}`))

/** What is wrong, and what everybody said when something is. */
const tryCell = async (party: Party, step: Step): Promise<ReadonlyArray<string>> => {
  const { stage, usual } = await stageFor(party.external === true)
  tell(`${party.name}, ${step.name}: the stage is set`)
  let faults: ReadonlyArray<string>
  try {
    const end = await runCell(stage, { clip, party, step, usual, tell })
    faults = [...end.faults, ...(await leftovers(stage))]
  } catch (error) {
    faults = [error instanceof Error ? error.message.split("\n", 1)[0]! : String(error)]
  }
  if (faults.length > 0) console.error(stage.output)
  // What one cell has spoilt is not blamed on the next.
  if (faults.length > 0 || values.fresh) await clear()
  return faults
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void clear().finally(() => process.exit(1))
  })
}

console.log("| party | step | seconds | outcome |\n|---|---|---|---|")
let wrong = 0
try {
  for (const party of columns) {
    for (const step of rows) {
      const from = performance.now()
      const faults = await tryCell(party, step)
      if (faults.length > 0) wrong += 1
      const seconds = ((performance.now() - from) / 1000).toFixed(1)
      console.log(`| ${party.name} | ${step.name} | ${seconds} | ${faults.length === 0 ? "ok" : faults.join("; ")} |`)
    }
  }
} finally {
  await clear()
}
console.log(`\n${columns.length * rows.length} cells, ${wrong} wrong`)
process.exit(wrong === 0 ? 0 : 1)
