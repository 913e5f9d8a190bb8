import { toJson } from "@kinora/domain/wire/Json"
import { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { weakEtag } from "../../platform/http/Conditional.ts"
import { Homepage } from "../homepage/Homepage.ts"
import { CustomSettings } from "../settings/CustomSettings.ts"
import { SignupPolicy } from "../../people/registration/SignupPolicy.ts"
import { aboutWire } from "./AboutWire.ts"
import { serverConfigWire } from "./ServerConfigWire.ts"

/** A response that is built once, with its entity tag. */
const ready = <A>(value: A) => {
  const text = toJson(value)
  return jsonText(text, { headers: { etag: weakEtag(text, Buffer.byteLength(text)) } })
}

/**
 * What clients read about the instance, and the settings of administrators. `GET /config` and `/config/about` follow from the
 * configuration alone, so their answers are built once after each change of settings. `/config` has one version for each
 * combination of "may I register" and "is there a homepage".
 */
export const layer = apiGroup(
  "config",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const runtime = yield* RuntimeConfig
    const policy = yield* SignupPolicy
    const homepage = yield* Homepage
    const settings = yield* CustomSettings
    const answers = (hasHomepage: boolean) => ({
      closed: ready(serverConfigWire(config, { allowed: false, allowedForCurrentIP: false }, hasHomepage)),
      notForYou: ready(serverConfigWire(config, { allowed: true, allowedForCurrentIP: false }, hasHomepage)),
      open: ready(serverConfigWire(config, { allowed: true, allowedForCurrentIP: true }, hasHomepage))
    })
    const without = runtime.derived(() => answers(false))
    const withHomepage = runtime.derived(() => answers(true))
    const about = runtime.derived(() => ready(aboutWire(config)))
    return handlers.handleAll({
      getConfig: ({ request }) =>
        Effect.zipWith(
          policy.shown(Option.getOrUndefined(request.remoteAddress)),
          homepage.isThere,
          ({ allowed, allowedForCurrentIP }, isThere) => {
            const { closed, notForYou, open } = isThere ? withHomepage() : without()
            return allowedForCurrentIP ? open : allowed ? notForYou : closed
          }
        ),
      getAbout: () => Effect.sync(about),
      getCustomConfig: () => answer(settings.current),
      putCustomConfig: ({ payload }) => answer(Effect.flatMap(CurrentUser, (user) => settings.update(user, payload))),
      delCustomConfig: () => answer(Effect.flatMap(CurrentUser, settings.reset)),
      getCustomConfigOrigins: () => answer(Effect.map(settings.origins, (data) => ({ data })))
    } satisfies Answers<"config">)
  })
)
