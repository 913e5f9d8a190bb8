import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ClientAssets } from "./ClientAssets.ts"
import { noLinkPage, notificationsPage, unsubscribedPage, unsubscribePage } from "./NotificationPages.ts"
import { pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageUnsubscribe } from "./PageUnsubscribe.ts"

/** A personal page must not be cached. If its link works without login, its URL must not reach other sites either. */
const personal = { "referrer-policy": "no-referrer", "cache-control": "no-store" }

/** Pages of notifications. */
export const NotificationPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const unsubscribe = yield* PageUnsubscribe

    const token = Effect.map(HttpServerRequest.ParsedSearchParams, ({ token: it }) =>
      typeof it === "string" ? it : ""
    )
    const broken = () => pageResponse(surroundings, noLinkPage(surroundings), { status: 400, headers: personal })

    const asked = Effect.gen(function* () {
      const kind = yield* unsubscribe.kind(yield* token)
      if (Option.isNone(kind)) return broken()
      return pageResponse(surroundings, unsubscribePage(surroundings, kind.value), { headers: personal })
    })

    const ended = Effect.gen(function* () {
      const kind = yield* unsubscribe.end(yield* token)
      if (Option.isNone(kind)) return broken()
      return pageResponse(surroundings, unsubscribedPage(surroundings, kind.value), { headers: personal })
    })

    yield* router.add("GET", "/my-account/notifications", () =>
      Effect.sync(() => pageResponse(surroundings, notificationsPage(surroundings), { headers: personal }))
    )
    // Where links of older mails and of the peer's pages lead.
    yield* router.add("GET", "/videos/subscriptions", HttpServerResponse.redirect("/my/subscriptions"))
    yield* router.add("GET", "/unsubscribe", asked)
    yield* router.add("POST", "/unsubscribe", pageAnswer(surroundings, ended))
  })
)
