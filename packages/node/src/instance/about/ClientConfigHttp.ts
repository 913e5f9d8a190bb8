import type { InterfaceLanguage } from "@kinora/domain/requests/ClientConfigRequests"
import { Duration, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, respond } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"

const remembered = Duration.toSeconds(Duration.days(365))

/** The language of the interface, kept in a cookie: pages are rendered before anybody is known. */
export const layer = apiGroup(
  "clientConfig",
  Effect.fnUntraced(function* (handlers) {
    const { webserver } = yield* KinoraConfig
    const rules = `Path=/; SameSite=Lax${webserver.https ? "; Secure" : ""}`

    const remember = ({ language }: InterfaceLanguage) =>
      Effect.sync(() =>
        respond<void>(
          HttpServerResponse.empty({
            status: 204,
            headers: {
              "set-cookie": `clientLanguage=${language ?? ""}; Max-Age=${language === null ? 0 : remembered}; ${rules}`
            }
          })
        )
      )

    return handlers.handleAll({
      updateClientLanguage: ({ payload }) => remember(payload),
      updateClientInterfaceLanguage: ({ payload }) => remember(payload)
    } satisfies Answers<"clientConfig">)
  })
)
