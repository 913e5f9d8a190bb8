import { assert, describe, it } from "@effect/vitest"
import { LiveError } from "@kinora/domain/enums/Live"
import type { RunnerJobState } from "@kinora/domain/enums/RunnerJobState"
import { Duration } from "effect"
import { RunLost } from "../../../src/live/session/LiveRuns.ts"
import { type Seen, verdictOf } from "../../../src/runner/live/RunVerdict.ts"

const times = {
  taken: Duration.seconds(15),
  read: Duration.seconds(20),
  readAgain: Duration.seconds(5),
  finished: Duration.seconds(30)
}

const seen = (state: RunnerJobState, fields: Partial<Seen> = {}, isLate = false): Seen => ({
  job: { state, isLate, error: "no encoder" },
  age: 1000,
  takenFor: 1000,
  silentFor: 0,
  wasRead: true,
  endedFor: undefined,
  ...fields
})

const pending = 1
const processing = 2
const completed = 3
const errored = 4
const cancelled = 6

const endOf = (one: Seen) => {
  const end = verdictOf(one, times)?.end
  if (end instanceof RunLost) return end.why
  return typeof end === "object" ? end.error : end
}

describe("a run of a runner", () => {
  it("goes on while its runner works", () => {
    assert.isUndefined(verdictOf(seen(pending), times))
    assert.isUndefined(verdictOf(seen(processing), times))
    assert.isUndefined(verdictOf(seen(processing, { wasRead: false, silentFor: 1e12, takenFor: 10_000 }), times))
    assert.isUndefined(verdictOf(seen(processing, { endedFor: 10_000, silentFor: 10_000 }), times))
  })

  it("is left to this node when nobody takes it", () => {
    assert.strictEqual(endOf(seen(pending, { age: 16_000 })), "untaken")
  })

  it("RUN-04: is lost when its runner dies, falls silent, fails or gives up early", () => {
    const silent = seen(processing, { silentFor: 6000, takenFor: 60_000 })
    assert.strictEqual(endOf(silent), "failed")
    assert.strictEqual(verdictOf(silent, times)?.lose, "The runner stopped reading the stream")
    assert.strictEqual(verdictOf(seen(processing, {}, true), times)?.lose, "The runner stopped reporting")
    const never = seen(processing, { wasRead: false, silentFor: 1e12, takenFor: 21_000 })
    assert.strictEqual(verdictOf(never, times)?.lose, "The runner did not read the stream")
    assert.strictEqual(endOf(seen(errored)), "failed")
    assert.strictEqual(endOf(seen(completed)), "failed")
  })

  it("ends well after the end of the stream", () => {
    for (const state of [pending, completed, errored] as const) {
      assert.strictEqual(endOf(seen(state, { endedFor: 1000 })), "done")
    }
    const slow = verdictOf(seen(processing, { endedFor: 31_000 }), times)
    assert.strictEqual(slow?.end, "done")
    assert.isDefined(slow?.lose)
  })

  it("ends the live when it is cancelled or deleted", () => {
    assert.strictEqual(endOf(seen(cancelled)), LiveError.runnerJobCancelled)
    assert.strictEqual(endOf({ ...seen(processing), job: undefined }), LiveError.runnerJobCancelled)
  })
})
