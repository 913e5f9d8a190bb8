import { toJson } from "@kinora/domain/wire/Json"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { weakEtag } from "../../platform/http/Conditional.ts"
import { Homepage } from "../homepage/Homepage.ts"
import { SignupPolicy } from "../../people/registration/SignupPolicy.ts"
import { aboutWire } from "./AboutWire.ts"
import { serverConfigWire } from "./ServerConfigWire.ts"

/** A response that is built once, with its entity tag. */
const ready = <A>(value: A) => {
  const text = toJson(value)
  return jsonText(text, { headers: { etag: weakEtag(text, Buffer.byteLength(text)) } })
}

/**
 * `GET /config` and `/config/about`. Both follow from the configuration of the process, which changes only with a
 * restart, so each is built once. `/config` has one version for each combination of "may I register" and "is there a
 * homepage".
 */
export const layer = apiGroup(
  "config",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const policy = yield* SignupPolicy
    const homepage = yield* Homepage
    const answers = (hasHomepage: boolean) => ({
      closed: ready(serverConfigWire(config, { allowed: false, allowedForCurrentIP: false }, hasHomepage)),
      notForYou: ready(serverConfigWire(config, { allowed: true, allowedForCurrentIP: false }, hasHomepage)),
      open: ready(serverConfigWire(config, { allowed: true, allowedForCurrentIP: true }, hasHomepage))
    })
    const without = answers(false)
    const withHomepage = answers(true)
    const about = Effect.succeed(ready(aboutWire(config)))
    return handlers.handleAll({
      getConfig: ({ request }) =>
        Effect.zipWith(
          policy.shown(Option.getOrUndefined(request.remoteAddress)),
          homepage.isThere,
          ({ allowed, allowedForCurrentIP }, isThere) => {
            const { closed, notForYou, open } = isThere ? withHomepage : without
            return allowedForCurrentIP ? open : allowed ? notForYou : closed
          }
        ),
      getAbout: () => about
    } satisfies Answers<"config">)
  })
)
