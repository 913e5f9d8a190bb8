import type { InterfaceLanguage } from "@kinora/domain/requests/ClientConfigRequests"
import { languageCookie, languageKept } from "@kinora/domain/i18n/Languages"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, respond } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"

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
              "set-cookie": `${languageCookie}=${language ?? ""}; Max-Age=${language === null ? 0 : languageKept}; ${rules}`
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
