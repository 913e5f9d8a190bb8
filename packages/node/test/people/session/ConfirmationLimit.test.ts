import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { httpSettings } from "../../../src/app/HttpSettings.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { canonicalPath, classify } from "../../../src/platform/http/RequestPath.ts"

const kindOf = (method: string, url: string) => classify(method, canonicalPath(url), undefined, () => false).extraLimit

it("tokens of mails and of two-factor requests are tried against a limit of their own, however the path is written", () => {
  const limited = [
    "/api/v1/users/12/reset-password",
    "/api/v1/users/12/verify-email",
    "/api/v1/users/registrations/12/verify-email",
    "/api/v1/users/12/two-factor/confirm-request",
    "/API/v1//users/12/Verify-Email/?x=y",
    "/api/v1/users/%31%32/reset-password"
  ]
  for (const url of limited) assert.strictEqual(kindOf("POST", url), "confirm_token", url)
  for (const url of ["/api/v1/users/12/two-factor/request", "/api/v1/users/12", "/api/v1/users/verify-email"]) {
    assert.notStrictEqual(kindOf("POST", url), "confirm_token", url)
  }
  assert.isUndefined(kindOf("GET", limited[0]!))
})

const exemption = { isExempt: () => Effect.succeed(false) }

it.effect("the limit is a key of the configuration", () =>
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    assert.deepStrictEqual(httpSettings(config, exemption, undefined).rateLimits.confirm_token, {
      max: 4,
      windowMillis: 60_000,
      exact: true
    })
  }).pipe(Effect.provide(KinoraConfig.layerTest({ rates_limit: { confirm_token: { max: 4, window: "1 minute" } } })))
)
