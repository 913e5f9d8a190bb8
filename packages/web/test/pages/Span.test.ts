import { assert, describe, it } from "@effect/vitest"
import { spanOf } from "../../src/pages/statistics/Span.ts"

const now = Date.parse("2026-11-28T12:00:00.000Z")

describe("the span of statistics", () => {
  it("is so many days that end now, even those before the video was published", () => {
    assert.deepStrictEqual(spanOf(7, "2026-11-27T00:00:00.000Z", now), {
      startDate: "2026-11-21T12:00:00.000Z",
      endDate: "2026-11-28T12:00:00.000Z"
    })
  })

  it("is all since the video was published, but no longer than figures are given for", () => {
    assert.strictEqual(spanOf(0, "2026-01-01T00:00:00.000Z", now).startDate, "2026-01-01T00:00:00.000Z")
    assert.strictEqual(spanOf(0, "1999-01-01T00:00:00.000Z", now).startDate, "2016-11-30T12:00:00.000Z")
  })

  it("never begins after it ends", () => {
    assert.strictEqual(spanOf(0, "2026-12-24T00:00:00.000Z", now).startDate, "2026-11-28T12:00:00.000Z")
  })
})
