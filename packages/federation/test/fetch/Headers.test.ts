import { assert, describe, it } from "@effect/vitest"
import { isAmong, parseMediaType } from "../../src/fetch/MediaType.ts"
import { retryAfterMillis } from "../../src/fetch/RetryAfter.ts"

describe("headers of answers", () => {
  it("clamps Retry-After (FET-16)", () => {
    const now = Date.parse("2026-01-01T00:00:00Z")
    assert.strictEqual(retryAfterMillis("120", now, 3_600_000), 120_000)
    assert.strictEqual(retryAfterMillis("9999999", now, 3_600_000), 3_600_000)
    assert.strictEqual(retryAfterMillis("9".repeat(400), now, 3_600_000), 3_600_000)
    assert.strictEqual(retryAfterMillis("Thu, 01 Jan 2026 00:01:00 GMT", now, 3_600_000), 60_000)
    assert.strictEqual(retryAfterMillis("Thu, 01 Jan 1998 00:01:00 GMT", now, 3_600_000), 0)
    for (const none of [undefined, "", "-5x", "soon"]) assert.isUndefined(retryAfterMillis(none, now, 3_600_000))
  })

  it("reads media types", () => {
    assert.deepStrictEqual(parseMediaType('Application/JSON; q=1; Charset="UTF-8"'), {
      essence: "application/json",
      charset: "utf-8"
    })
    for (const none of [undefined, "", "json", "text/html, application/json", "a/b/c", "/json"]) {
      assert.deepStrictEqual(parseMediaType(none), { essence: "" })
    }
    assert.isTrue(isAmong("image/png", ["text/vtt", "image/*"]))
    assert.isFalse(isAmong("imagery/png", ["image/*"]))
    assert.isFalse(isAmong("application/json+evil", ["application/json"]))
    assert.isFalse(isAmong("", ["image/*", "text/plain"]))
  })
})
