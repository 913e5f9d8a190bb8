import { homepageText } from "@kinora/domain/text/HomepageText"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { keptTexts } from "../social/feed/KeptTexts.ts"
import { toSafeHtml } from "../platform/markdown/Markdown.ts"
import { ClientAssets } from "./ClientAssets.ts"
import { Html, html } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { pageMetadata } from "./Metadata.ts"
import { pageAnswer, pageResponse } from "./PageAnswer.ts"
import { PageInstance } from "./PageInstance.ts"
import { Homepage } from "../instance/homepage/Homepage.ts"

/** Limit of the cache of rendered homepages, in characters of source and result. */
const maxCharacters = 1_000_000

/** A homepage as safe HTML. */
export const homepageHtml = (content: string): Html => Html.trusted(toSafeHtml(homepageText(content)))

const homePage = (surroundings: Surroundings, text: Html): Html => {
  const { instance, language } = surroundings
  const t = language.text("instance")
  return layout(surroundings, {
    title: t("welcome"),
    entry: "site",
    here: "/home",
    head: pageMetadata({
      type: "website",
      image: instance.logos.opengraph?.address,
      title: instance.name,
      description: instance.shortDescription,
      url: `${instance.origin}/home`
    }),
    body: html`<div class="plain">
      <h1>${t("welcomeTo", { name: instance.name })}</h1>
      ${text}
    </div>`
  })
}

/** `GET /home`: the homepage that the administrator wrote, or the newest videos. */
export const HomepagePageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const site = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const homepage = yield* Homepage
    const htmlOf = keptTexts(maxCharacters, (content) => homepageHtml(content).markup)
    const shown = (surroundings: Surroundings) =>
      Effect.map(homepage.content, (content) =>
        Option.isNone(content)
          ? HttpServerResponse.redirect("/")
          : pageResponse(surroundings, homePage(surroundings, Html.trusted(htmlOf(content.value))))
      )
    yield* router.add("GET", "/home", pageAnswer(site, shown))
  })
)
