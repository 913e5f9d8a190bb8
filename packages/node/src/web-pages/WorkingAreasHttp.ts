import { RouteNotFound } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { ClientAssets } from "./ClientAssets.ts"
import { type Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { noIndex } from "./Metadata.ts"
import { pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"

/** Grey shapes where the script puts the page. */
const skeleton = html`<div class="skeleton" aria-hidden="true">
  <span></span><span></span><span></span><span></span><span></span><span></span>
</div>`

/**
 * The page of every address of the working areas: the script in it draws the rest, for the user that it knows. Their settings choose
 * the language, so it has no buttons for that.
 */
const workingAreaPage = (surroundings: Surroundings): Html =>
  layout(
    { ...surroundings, wayBack: "none" },
    {
      title: surroundings.language.text("common")("workingArea"),
      entry: "app",
      head: noIndex,
      class: "working",
      body: html`<div data-app>
        <noscript><p class="notice">${surroundings.language.text("common")("needsScript")}</p></noscript>
        ${skeleton}
      </div>`
    }
  )

/** Every component in every state. Only builds for development have its script. */
const componentsPage = (surroundings: Surroundings): Html =>
  layout(surroundings, {
    title: "Components",
    entry: "dev",
    head: noIndex,
    class: "working",
    body: html`<div data-components>${skeleton}</div>`
  })

/** Longer paths, in characters, are no page. */
const longest = 2_000

/** Whether a page could be at this address: which there are, the script knows. */
const mayBePage = ({ url }: HttpServerRequest.HttpServerRequest): boolean => {
  const path = url.split("?", 1)[0]!
  return path.length <= longest && !/%00/.test(path)
}

const areas = ["/my", "/studio", "/admin"] as const

/** Pages for who is logged in: one document for all addresses below `/my`, `/studio` and `/admin`. */
export const WorkingAreaRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const assets = yield* ClientAssets
    const site = { instance: yield* PageInstance, assets }
    const shown = (page: (surroundings: Surroundings) => Html) => (request: HttpServerRequest.HttpServerRequest) =>
      pageAnswer(site, (surroundings) =>
        mayBePage(request)
          ? Effect.sync(() =>
              pageResponse(surroundings, page(surroundings), {
                headers: { "cache-control": "no-cache" },
                captures: true
              })
            )
          : Effect.fail(new RouteNotFound())
      )
    // A trailing `*` takes the path without it as well.
    for (const area of areas) yield* router.add("GET", `${area}/*`, shown(workingAreaPage))
    if (assets.isDevelopment) yield* router.add("GET", "/dev/components", shown(componentsPage))
  })
)
