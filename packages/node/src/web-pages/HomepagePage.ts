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

/**
 * Elements that other clients fill with lists of videos and buttons. Here they are left out and what is between them stays:
 * a homepage that was written for them still reads as a text.
 */
const customTags = /<\/?peertube-[a-z-]{1,40}(?:\s[^<>]{0,1000})?\/?>/gi

/** Characters of the last homepages, and what was made of them, that are remembered. */
const mostCharacters = 1_000_000

/** A homepage as safe HTML. */
export const homepageHtml = (content: string): Html =>
  Html.trusted(toSafeHtml(content.replaceAll(customTags, "").trim()))

const homePage = (surroundings: Surroundings, text: Html): Html => {
  const { instance } = surroundings
  return layout(surroundings, {
    title: "Welcome",
    entry: "site",
    here: "/home",
    head: pageMetadata({
      type: "website",
      title: instance.name,
      description: instance.shortDescription,
      url: `${instance.origin}/home`
    }),
    body: html`<div class="plain">
      <h1>Welcome to ${instance.name}</h1>
      ${text}
    </div>`
  })
}

/** `GET /home`: what the administrator wrote, else the newest videos. */
export const HomepagePageRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const surroundings = { instance: yield* PageInstance, assets: yield* ClientAssets }
    const homepage = yield* Homepage
    const htmlOf = keptTexts(mostCharacters, (content) => homepageHtml(content).markup)
    const shown = Effect.map(homepage.content, (content) =>
      Option.isNone(content)
        ? HttpServerResponse.redirect("/")
        : pageResponse(surroundings, homePage(surroundings, Html.trusted(htmlOf(content.value))))
    )
    yield* router.add("GET", "/home", pageAnswer(surroundings, shown))
  })
)
