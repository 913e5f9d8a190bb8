import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import {
  askResetPage,
  askVerificationPage,
  incompleteLinkPage,
  noMailPage,
  resetPasswordPage,
  verifyEmailPage
} from "./AccountPages.ts"
import { ClientAssets } from "./ClientAssets.ts"
import type { Html } from "../platform/html/Html.ts"
import { loginPage } from "./LoginPages.ts"
import { pageResponse } from "./PageAnswer.ts"
import type { Surroundings } from "./Layout.ts"
import { PageInstance } from "./PageInstance.ts"
import { PageSignup } from "./PageSignup.ts"
import { signupClosedPage, signupPage } from "./SignupPage.ts"

type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const longestToken = 200

/** A row id from the query: 1 to 2147483647. */
const idOf = (query: Query, name: string): number | undefined => {
  const text = query[name]
  if (typeof text !== "string" || !/^[1-9]\d{0,9}$/.test(text)) return undefined
  return Number(text) <= 2 ** 31 - 1 ? Number(text) : undefined
}

const tokenOf = (query: Query): string | undefined => {
  const text = query["verificationString"]
  return typeof text === "string" && text.length <= longestToken && /^[\w~.-]+$/.test(text) ? text : undefined
}

/** The token in the URL gives access to an account: it must not reach other sites or caches. */
const secret = { "referrer-policy": "no-referrer", "cache-control": "no-store" }

/** Account pages: those that links in mails lead to, those that request such links, registration, login. */
export const AccountPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const shown = (page: Html, status = 200): HttpServerResponse.HttpServerResponse =>
      pageResponse(surroundings, page, { status, headers: secret })

    const signup = yield* PageSignup
    const asking = (title: string, page: (surroundings: Surroundings) => Html) =>
      shown(signup.sendsMail ? page(surroundings) : noMailPage(surroundings, title))

    const verify = Effect.map(HttpServerRequest.ParsedSearchParams, (query) => {
      const token = tokenOf(query)
      const userId = idOf(query, "userId")
      const registrationId = idOf(query, "registrationId")
      if (token !== undefined && userId !== undefined) {
        const pending = query["isPendingEmail"] === "true"
        return shown(verifyEmailPage(surroundings, { _tag: "User", id: userId, pending }, token))
      }
      if (token !== undefined && registrationId !== undefined) {
        return shown(verifyEmailPage(surroundings, { _tag: "Registration", id: registrationId }, token))
      }
      return shown(incompleteLinkPage(surroundings, "/verify-account/ask-send-email"), 400)
    })

    const reset = Effect.map(HttpServerRequest.ParsedSearchParams, (query) => {
      if (query["userId"] === undefined && query["verificationString"] === undefined) {
        return asking("Forgot your password?", askResetPage)
      }
      const token = tokenOf(query)
      const userId = idOf(query, "userId")
      return token === undefined || userId === undefined
        ? shown(incompleteLinkPage(surroundings, "/reset-password"), 400)
        : shown(resetPasswordPage(surroundings, userId, token))
    })

    const register = (request: HttpServerRequest.HttpServerRequest) =>
      Effect.map(signup.shown(Option.getOrUndefined(request.remoteAddress)), ({ allowed, allowedForCurrentIP }) =>
        shown(allowedForCurrentIP ? signupPage(surroundings, signup) : signupClosedPage(surroundings, allowed))
      )

    yield* router.add("GET", "/signup", register)
    yield* router.add("GET", "/login", () => Effect.sync(() => shown(loginPage(surroundings, signup))))
    // Where links of older mails lead.
    yield* router.add("GET", "/my-account", HttpServerResponse.redirect("/my/settings"))
    // Where password managers send users (W3C: change-password), by `/.well-known/change-password` too.
    yield* router.add("GET", "/my-account/settings", HttpServerResponse.redirect("/my/settings?part=security"))
    yield* router.add("GET", "/verify-account/email", verify)
    yield* router.add("GET", "/verify-account/ask-send-email", () =>
      Effect.sync(() => asking("Request another link", askVerificationPage))
    )
    yield* router.add("GET", "/reset-password", reset)
  })
)
