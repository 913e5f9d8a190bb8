import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { redactUrl } from "../../../src/platform/http/RequestPath.ts"
import { resetPasswordLink, verifyEmailLink, verifyRegistrationLink } from "../../../src/platform/mail/Links.ts"

it.effect("no link of a mail is logged with its token", () =>
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const token = "a-token_of-a-mail"
    for (const link of [
      verifyEmailLink(config, 1, token, true),
      verifyRegistrationLink(config, 2, token),
      resetPasswordLink(config, 3, token)
    ]) {
      assert.include(link, token)
      const { pathname, search } = new URL(link)
      const logged = redactUrl(pathname + search)
      assert.notInclude(logged, token)
      assert.match(logged, /(?:userId|registrationId)=\d/)
    }
  }).pipe(Effect.provide(KinoraConfig.layerTest()))
)
