import { Api } from "@kinora/domain/api/Api"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { KinoraConfig } from "../config/Config.ts"
import { jsonText } from "../http/Answer.ts"
import { weakEtag } from "../http/Conditional.ts"
import { aboutWire } from "./AboutWire.ts"
import { serverConfigWire } from "./ServerConfigWire.ts"

/** A response that is made once, with its entity tag. */
const ready = (value: unknown) => {
  const text = JSON.stringify(value)
  return Effect.succeed(jsonText(text, { headers: { etag: weakEtag(text, Buffer.byteLength(text)) } }))
}

/**
 * `GET /config` and `/config/about`. Both follow from the configuration of the process, so each is made once; it
 * changes with a restart.
 */
export const layer = HttpApiBuilder.group(
  Api,
  "config",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const server = ready(serverConfigWire(config))
    const about = ready(aboutWire(config))
    return handlers.handleAll({
      getConfig: () => server,
      getAbout: () => about
    })
  })
)
