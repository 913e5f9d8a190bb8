import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest"
import { ClusterStage } from "../support/chaos/cluster/ClusterStage.ts"
import { disturbances } from "../support/chaos/cluster/Disturbances.ts"
import { Load } from "../support/chaos/cluster/Load.ts"
import { trial } from "../support/chaos/cluster/Trial.ts"
import { makeClip } from "../support/chaos/Stage.ts"

/** A short form of `scripts/chaos cluster`, which tries everything that docs/reliability.md lists. */
describe("three nodes that share object storage alone, with viewers, an uploader and writers", () => {
  let stage: ClusterStage
  let load: Load

  beforeAll(async () => {
    stage = await ClusterStage.create({ apart: true })
    load = await Load.create(stage, makeClip())
    load.watch()
  }, 300_000)
  afterAll(async () => {
    await load?.stop()
    await stage?.remove()
  })

  it.each(["node 1 is killed", "PostgreSQL is killed"])("lose nothing when %s", { timeout: 600_000 }, async (name) => {
    onTestFailed(() => void process.stderr.write(stage.output))
    const outcome = await trial(
      stage,
      load,
      disturbances.find((one) => one.name === name)!
    )
    expect(outcome.faults).toEqual([])
    expect(outcome.requests).toBeGreaterThan(0)
  })
})
