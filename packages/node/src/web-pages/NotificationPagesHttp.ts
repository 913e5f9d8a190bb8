import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ClientAssets } from "./ClientAssets.ts"
import { noLinkPage, notificationsPage, unsubscribedPage, unsubscribePage } from "./NotificationPages.ts"
import type { Surroundings } from "./Layout.ts"
import { pageAnswer, pageResponse, plainAnswer } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageUnsubscribe } from "./PageUnsubscribe.ts"

/** A personal page must not be cached. If its link works without login, its URL must not reach other sites either. */
const personal = { "referrer-policy": "no-referrer", "cache-control": "no-store" }

/** Pages of notifications. */
export const NotificationPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const unsubscribe = yield* PageUnsubscribe

    const token = Effect.map(HttpServerRequest.ParsedSearchParams, ({ token: it }) =>
      typeof it === "string" ? it : ""
    )
    const broken = (surroundings: Surroundings) =>
      pageResponse(surroundings, noLinkPage(surroundings), { status: 400, headers: personal })

    /** A link from a mail is not said once more on its page. */
    const privately = (surroundings: Surroundings): Surroundings => ({ ...surroundings, wayBack: "none" })

    const asked = Effect.fnUntraced(function* (surroundings: Surroundings) {
      const kind = yield* unsubscribe.kind(yield* token)
      if (Option.isNone(kind)) return broken(surroundings)
      return pageResponse(surroundings, unsubscribePage(surroundings, kind.value), { headers: personal })
    })

    const ended = Effect.fnUntraced(function* (surroundings: Surroundings) {
      const kind = yield* unsubscribe.end(yield* token)
      if (Option.isNone(kind)) return broken(surroundings)
      return pageResponse(surroundings, unsubscribedPage(surroundings, kind.value), { headers: personal })
    })

    yield* router.add("GET", "/my-account/notifications", plainAnswer(site, notificationsPage, { headers: personal }))
    // Where links of older mails and of the peer's pages lead.
    yield* router.add("GET", "/videos/subscriptions", HttpServerResponse.redirect("/my/subscriptions"))
    yield* router.add(
      "GET",
      "/unsubscribe",
      pageAnswer(site, (it) => asked(privately(it)))
    )
    yield* router.add(
      "POST",
      "/unsubscribe",
      pageAnswer(site, (it) => ended(privately(it)))
    )
  })
)
