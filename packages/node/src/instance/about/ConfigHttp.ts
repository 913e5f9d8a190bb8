import { Api } from "@kinora/domain/api/Api"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { jsonText } from "../../platform/http/Answer.ts"
import { weakEtag } from "../../platform/http/Conditional.ts"
import { Homepage } from "../homepage/Homepage.ts"
import { SignupPolicy } from "../../people/registration/SignupPolicy.ts"
import { aboutWire } from "./AboutWire.ts"
import { serverConfigWire } from "./ServerConfigWire.ts"

/** A response that is made once, with its entity tag. */
const ready = (value: unknown) => {
  const text = JSON.stringify(value)
  return jsonText(text, { headers: { etag: weakEtag(text, Buffer.byteLength(text)) } })
}

/**
 * `GET /config` and `/config/about`. Both follow from the configuration of the process, so each is made once; it
 * changes with a restart. Of the former there is one for each answer to "may I register" and "is there a homepage".
 */
export const layer = HttpApiBuilder.group(
  Api,
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
    })
  })
)
