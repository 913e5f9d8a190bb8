import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { InstanceCounts } from "@kinora/storage/instance/InstanceCounts"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../config/Config.ts"
import { answer, jsonText } from "../http/Answer.ts"
import { applicationActorName } from "../instance/FirstStart.ts"
import { recent } from "../instance/Recent.ts"
import { SignupPolicy } from "../registrations/SignupPolicy.ts"
import { nodeInfoWire } from "./NodeInfoWire.ts"

const schema = "http://nodeinfo.diaspora.software/ns/schema/2.0"
const cacheControl = "max-age=600"

/** `GET /.well-known/nodeinfo` and `/nodeinfo/2.0.json`; usage is counted at most once in a minute. */
export const NodeInfoRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const counts = yield* InstanceCounts
    const policy = yield* SignupPolicy
    const { origin } = config.derived
    const links = JSON.stringify({
      links: [
        { rel: schema, href: `${origin}/nodeinfo/2.0.json` },
        {
          rel: "https://www.w3.org/ns/activitystreams#Application",
          href: `${origin}/accounts/${applicationActorName}`
        }
      ]
    })
    const document = recent(
      Effect.map(Effect.all([counts.usage, policy.shown(undefined)]), ([usage, signup]) =>
        JSON.stringify(nodeInfoWire(config, usage, signup))
      ),
      "1 minute"
    )

    yield* router.add("GET", "/.well-known/nodeinfo", () =>
      Effect.sync(() => jsonText(links, { headers: { "cache-control": cacheControl } }))
    )
    yield* router.add("GET", "/nodeinfo/:version", () =>
      answer(
        Effect.gen(function* () {
          const { version } = yield* HttpRouter.params
          if (version !== "2.0.json") return yield* new RouteNotFound()
          return HttpServerResponse.text(yield* document, {
            contentType: `application/json; profile="${schema}#"; charset=utf-8`,
            headers: { "cache-control": cacheControl }
          })
        })
      )
    )
  })
)
