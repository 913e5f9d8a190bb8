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
import { pageResponse, plainAnswer } from "./PageAnswer.ts"
import { surroundingsOf } from "./PageSurroundings.ts"
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
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    /** `page` with a link from a mail: it does not say its address once more. */
    const secretly = (status: number, page: (surroundings: Surroundings) => Html) =>
      Effect.map(surroundingsOf(site), (it): HttpServerResponse.HttpServerResponse => {
        const surroundings: Surroundings = { ...it, wayBack: "none" }
        return pageResponse(surroundings, page(surroundings), { status, headers: secret })
      })
    const shown = (page: (surroundings: Surroundings) => Html) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        plainAnswer(site, (it) => page({ ...it, wayBack: { address: url } }), { headers: secret })
      )

    const signup = yield* PageSignup
    const asking = (title: "forgotten" | "anotherLink", page: (surroundings: Surroundings) => Html) =>
      shown((surroundings) => (signup.sendsMail ? page(surroundings) : noMailPage(surroundings, title)))

    const verify = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
      const token = tokenOf(query)
      const userId = idOf(query, "userId")
      const registrationId = idOf(query, "registrationId")
      if (token !== undefined && userId !== undefined) {
        const pending = query["isPendingEmail"] === "true"
        return secretly(200, (it) => verifyEmailPage(it, { _tag: "User", id: userId, pending }, token))
      }
      if (token !== undefined && registrationId !== undefined) {
        return secretly(200, (it) => verifyEmailPage(it, { _tag: "Registration", id: registrationId }, token))
      }
      return secretly(400, (it) => incompleteLinkPage(it, "/verify-account/ask-send-email"))
    })

    const reset = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
      if (query["userId"] === undefined && query["verificationString"] === undefined) {
        return asking("forgotten", askResetPage)
      }
      const token = tokenOf(query)
      const userId = idOf(query, "userId")
      return token === undefined || userId === undefined
        ? secretly(400, (it) => incompleteLinkPage(it, "/reset-password"))
        : secretly(200, (it) => resetPasswordPage(it, userId, token))
    })

    const register = (request: HttpServerRequest.HttpServerRequest) =>
      Effect.flatMap(signup.shown(Option.getOrUndefined(request.remoteAddress)), ({ allowed, allowedForCurrentIP }) =>
        shown((it) => (allowedForCurrentIP ? signupPage(it, signup) : signupClosedPage(it, allowed)))
      )

    yield* router.add("GET", "/signup", register)
    yield* router.add(
      "GET",
      "/login",
      shown((it) => loginPage(it, signup))
    )
    // Where links of older mails lead.
    yield* router.add("GET", "/my-account", HttpServerResponse.redirect("/my/settings"))
    // Where password managers send users (W3C: change-password), by `/.well-known/change-password` too.
    yield* router.add("GET", "/my-account/settings", HttpServerResponse.redirect("/my/settings?part=security"))
    yield* router.add("GET", "/verify-account/email", verify)
    yield* router.add("GET", "/verify-account/ask-send-email", asking("anotherLink", askVerificationPage))
    yield* router.add("GET", "/reset-password", reset)
  })
)
