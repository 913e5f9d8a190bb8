import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest"
import { runCell } from "../support/chaos/Cell.ts"
import { type Counts, leftovers } from "../support/chaos/Ends.ts"
import { parties } from "../support/chaos/Parties.ts"
import { makeClip, Stage } from "../support/chaos/Stage.ts"
import { steps } from "../support/chaos/Steps.ts"

/** A short form of `scripts/chaos`: what that tries of everybody at every step. */
describe("somebody dies while runners make a ladder", () => {
  const clip = makeClip()
  let stage: Stage
  let usual: Counts | undefined

  beforeAll(async () => {
    stage = await Stage.create()
  })
  afterAll(async () => {
    await stage.remove()
  })

  it.each([
    ["runner", "uploading"],
    ["database", "completing"],
    ["server", "publishing"]
  ])("%s: %s", async (party, step) => {
    onTestFailed(() => void process.stderr.write(stage.output))
    const end = await runCell(stage, {
      clip,
      party: parties.find(({ name }) => name === party)!,
      step: steps.find(({ name }) => name === step)!,
      usual
    })
    expect(end.faults).toEqual([])
    usual ??= end.counts
  })

  it("leaves nothing on the disk", async () => {
    expect(await leftovers(stage, false)).toEqual([])
  })
})
