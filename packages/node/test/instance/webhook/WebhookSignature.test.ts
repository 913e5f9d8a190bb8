import { assert, describe, it } from "@effect/vitest"
import { failsForDays, restMillis, waitMillis } from "../../../src/instance/webhook/WebhookPolicy.ts"
import { newSecret, signedHeaders } from "../../../src/instance/webhook/WebhookSignature.ts"

const hour = 3_600_000

describe("messages to webhooks", () => {
  it("are signed as Standard Webhooks does it", () => {
    // The example of its specification.
    const headers = signedHeaders({
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      seconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
    })
    assert.strictEqual(headers["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    assert.match(newSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notStrictEqual(newSecret(), newSecret())
  })

  it("are tried ten times in about a day", () => {
    const all = Array.from({ length: 9 }, (_, i) => waitMillis(i + 1, 0, 0.5)!)
    const total = all.reduce((sum, wait) => sum + wait, 0)
    assert.isAbove(total, 20 * hour)
    assert.isBelow(total, 24 * hour)
    assert.isUndefined(waitMillis(10, 0, 0.5))
    assert.isUndefined(waitMillis(2, 31 * hour, 0.5))
  })

  it("rest longer the longer nobody answers, and end after days", () => {
    assert.strictEqual(restMillis(1, 0.5), 10_000)
    assert.strictEqual(restMillis(2, 0.5), 20_000)
    assert.strictEqual(restMillis(50, 0.5), hour / 4)
    assert.isFalse(failsForDays(null, 0))
    assert.isFalse(failsForDays(new Date(0), 100 * hour))
    assert.isTrue(failsForDays(new Date(0), 121 * hour))
  })
})
