import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ClientAssets } from "./ClientAssets.ts"
import { remoteInteractionPage } from "./FederationPages.ts"
import { pageResponse } from "./PageAnswer.ts"
import { surroundingsOf } from "./PageSurroundings.ts"
import { PageInstance } from "./PageInstance.ts"
import { messagePage } from "./PlainPages.ts"

const personal = { "referrer-policy": "no-referrer", "cache-control": "no-store" }
const longest = 2_000

/** The URI of a WebFinger template: a URL or a handle, also as an `acct:` URI. Undefined if it is neither. */
const readUri = (value: unknown): URL | string | undefined => {
  if (typeof value !== "string" || value.length > longest) return undefined
  const handle = parseActorHandle(value.replace(/^acct:/i, ""))
  if (handle !== undefined && handle.host !== null) return `${handle.name}@${handle.host}`
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** Addresses that pages of the working areas had before; what they were narrowed to goes along. */
const moved = {
  "/admin/federation": "/admin/follows?tab=following",
  "/admin/federation/hosts": "/admin/follows?tab=delivery"
} as const

/** The older addresses of follows and deliveries, and the page that other instances send our users to (WebFinger: subscribe). */
export const FederationPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }

    const interaction = Effect.gen(function* () {
      const { uri } = yield* HttpServerRequest.ParsedSearchParams
      const surroundings = { ...(yield* surroundingsOf(site)), wayBack: "none" as const }
      const t = surroundings.language.text("instance")
      const read = readUri(uri)
      if (read === undefined) {
        const page = messagePage(surroundings, t("brokenTitle"), t("brokenText"))
        return pageResponse(surroundings, page, { status: 400, headers: personal })
      }
      if (read instanceof URL && read.origin === site.instance.origin) {
        return HttpServerResponse.redirect(`${read.pathname}${read.search}`)
      }
      const text = read instanceof URL ? read.href : read
      return pageResponse(surroundings, remoteInteractionPage(surroundings, text), { headers: personal })
    })

    for (const [path, there] of Object.entries(moved)) {
      yield* router.add("GET", path as keyof typeof moved, ({ url }: HttpServerRequest.HttpServerRequest) =>
        Effect.succeed(HttpServerResponse.redirect(`${there}${url.replace(/^[^?]*\??/, "&").replace(/&$/, "")}`))
      )
    }
    yield* router.add("GET", "/remote-interaction", interaction)
  })
)
