import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { toJson } from "@kinora/domain/wire/Json"
import { InstanceCounts } from "@kinora/storage/instance/installation/InstanceCounts"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer, jsonText } from "../../platform/http/Answer.ts"
import { applicationActorName } from "../../federation/activitypub/ApplicationActor.ts"
import { recent } from "../../platform/memory/Recent.ts"
import { SignupPolicy } from "../../people/registration/SignupPolicy.ts"
import { nodeInfoWire } from "./NodeInfoWire.ts"

const versions = ["2.0", "2.1"] as const
const schema = (version: (typeof versions)[number]) => `http://nodeinfo.diaspora.software/ns/schema/${version}`
const cacheControl = "max-age=600"

/**
 * `GET /.well-known/nodeinfo`, `/nodeinfo/2.0.json` and `/nodeinfo/2.1.json`. Usage is counted at most once a minute.
 * The links also name the application actor (FEP-2677).
 */
export const NodeInfoRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const counts = yield* InstanceCounts
    const policy = yield* SignupPolicy
    const { origin } = config.derived
    const links = toJson({
      links: [
        ...versions.map((version) => ({ rel: schema(version), href: `${origin}/nodeinfo/${version}.json` })),
        {
          rel: "https://www.w3.org/ns/activitystreams#Application",
          href: `${origin}/accounts/${applicationActorName}`
        }
      ]
    })
    const figures = recent(Effect.all([counts.usage, policy.shown(undefined)]), "1 minute")

    yield* router.add("GET", "/.well-known/nodeinfo", () =>
      Effect.sync(() => jsonText(links, { headers: { "cache-control": cacheControl } }))
    )
    yield* router.add("GET", "/nodeinfo/:version", () =>
      answer(
        Effect.gen(function* () {
          const { version: file } = yield* HttpRouter.params
          const version = versions.find((version) => file === `${version}.json`)
          if (version === undefined) return yield* new RouteNotFound()
          const [usage, signup] = yield* figures
          return HttpServerResponse.text(JSON.stringify(nodeInfoWire(version, config, usage, signup)), {
            contentType: `application/json; profile="${schema(version)}#"; charset=utf-8`,
            headers: { "cache-control": cacheControl }
          })
        })
      )
    )
  })
)
