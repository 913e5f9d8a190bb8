import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { InvalidGrant, MissingTwoFactor } from "../../src/errors/AuthErrors.ts"
import { isProblemError } from "../../src/errors/ProblemError.ts"
import { InvalidParameters, RangeNotSatisfiable, RateLimited } from "../../src/errors/RequestErrors.ts"
import { DatabaseUnavailable } from "../../src/errors/ServiceErrors.ts"
import { MaxFileSizeReached, QuotaReached, UploadConflict } from "../../src/errors/UploadErrors.ts"
import { VideoNotFound } from "../../src/errors/VideoErrors.ts"

describe("ProblemError", () => {
  it("says status, code and words of a problem", () => {
    const problem = new InvalidGrant({ what: "credentials" })
    assert.strictEqual(problem.status, 400)
    assert.strictEqual(problem.code, "invalid_grant")
    assert.strictEqual(problem.detail, "Wrong user name or password")
    assert.strictEqual(problem.message, problem.detail)
    assert.isUndefined(new VideoNotFound().code)
    assert.strictEqual(new QuotaReached({ daily: true }).status, 413)
  })

  it("tells problems from other errors", () => {
    assert.isTrue(isProblemError(new VideoNotFound()))
    assert.isFalse(isProblemError(new Error("no")))
    assert.isFalse(isProblemError(null))
  })

  it("carries the headers of its answer", () => {
    assert.deepStrictEqual(new RangeNotSatisfiable({ size: 10 }).headers, { "content-range": "bytes */10" })
    assert.deepStrictEqual(new RateLimited({ retryAfterSeconds: 9 }).headers, { "retry-after": "9" })
    assert.deepStrictEqual(new MaxFileSizeReached({ maxBytes: 5 }).headers, { "x-file-maximum-size": "5" })
    assert.deepStrictEqual(new UploadConflict({ reason: "x", received: 50_000 }).headers, { range: "bytes=0-49999" })
    assert.deepStrictEqual(new UploadConflict({ reason: "x", received: 0 }).headers, {})
    assert.strictEqual(new MissingTwoFactor().headers?.["x-peertube-otp"], "required; app")
    assert.deepStrictEqual(new DatabaseUnavailable({ retryAfterSeconds: 5 }).headers, { "retry-after": "5" })
  })

  it("lists the failing fields in its detail", () => {
    const problem = InvalidParameters.one("id", "Must be the id of a video", "params", "zzzz")
    assert.strictEqual(problem.detail, "Incorrect request parameters: id")
    assert.deepStrictEqual(problem.invalidParams["id"], {
      type: "field",
      msg: "Must be the id of a video",
      param: "id",
      path: "id",
      location: "params",
      value: "zzzz"
    })
  })

  it.effect("is raised and caught by its tag", () =>
    Effect.gen(function* () {
      const failing = Effect.gen(function* () {
        return yield* new VideoNotFound()
      })
      const status = yield* failing.pipe(Effect.catchTag("VideoNotFound", (problem) => Effect.succeed(problem.status)))
      assert.strictEqual(status, 404)
    })
  )
})
