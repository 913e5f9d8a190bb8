import { assert, it } from "@effect/vitest"
import { canonicalPath, classify } from "../../../src/platform/http/RequestPath.ts"
import { defaultHttpOptions } from "../../../src/platform/http/DefaultHttpOptions.ts"

const limitOf = (path: string, method = "POST") =>
  classify(method, canonicalPath(`/api/v1/users/${path}`), undefined, () => false).extraLimit

it("asking for mail is limited to three in five minutes, however the path is written", () => {
  const names = ["ask-send-verify-email", "registrations/ask-send-verify-email", "ask-reset-password"]
  for (const path of [...names, "ASK-reset-password/", "ask%2dreset-password", "/ask-reset-password?x=1"]) {
    assert.strictEqual(limitOf(path), "ask_send_email", path)
  }
  assert.deepStrictEqual(defaultHttpOptions.rateLimits.ask_send_email, { max: 3, windowMillis: 300_000, exact: true })
})

it("using links and first codes has a limit of its own", () => {
  const paths = ["7/verify-email", "registrations/7/verify-email", "7/reset-password", "7/two-factor/confirm-request"]
  for (const path of paths) assert.strictEqual(limitOf(path), "confirm_token", path)
})
