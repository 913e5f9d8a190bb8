import type { ShownVideo } from "../api/Wire.ts"
import { element } from "../player/Dom.ts"
import { enhanceRating } from "./Rating.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/rating.ts"

const t = pageText("rating", messages)

/** Counts of ratings where the server's page has none: the video is not for everybody. */
export const createRates = (video: ShownVideo): HTMLElement => {
  const button = (name: "like" | "dislike", label: string, count: number) =>
    element(
      "button",
      { type: "button", class: "rate", "data-rate": name, "aria-pressed": "false", disabled: true },
      `${label} `,
      element("span", { "data-count": true }, String(count))
    )
  return element(
    "div",
    { class: "actions watch-actions" },
    element(
      "div",
      { class: "rates", role: "group", "aria-label": t("rating"), "data-rates": video.uuid },
      button("like", t("like"), video.likes),
      button("dislike", t("dislike"), video.dislikes)
    )
  )
}

const disabled = 2

/** The same for comments: they are asked for by who may see the video. */
export const createSection = (video: ShownVideo): HTMLElement => {
  const isOff = video.commentsPolicy.id === disabled
  return element(
    "section",
    {
      class: "comments",
      "aria-label": t("title"),
      "data-comments": video.uuid,
      "data-policy": video.commentsPolicy.id,
      "data-owner": video.account.id,
      "data-total": video.comments
    },
    element("h2", {}, `${t("title")} `, element("span", { "data-count": true }, String(video.comments))),
    element("p", { class: "comment-notice", "data-empty": !isOff }, isOff ? t("off") : ""),
    element("ol", { class: "comment-list" })
  )
}

/** Comments are looked at by who scrolls down to them: until then, none of their code is fetched. */
const whenNear = (section: HTMLElement, run: () => void): void => {
  const near = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      near.disconnect()
      run()
    },
    { rootMargin: "600px" }
  )
  near.observe(section)
}

/** Makes ratings and comments of the page work, those that do not yet. `headers` open the video. */
export const enhanceConversation = (headers: () => Record<string, string>): void => {
  for (const rates of document.querySelectorAll<HTMLElement>("[data-rates]:not([data-ready])")) {
    rates.dataset["ready"] = ""
    void enhanceRating(rates, headers)
  }
  for (const section of document.querySelectorAll<HTMLElement>("[data-comments]:not([data-ready])")) {
    section.dataset["ready"] = ""
    whenNear(section, () => {
      void import("./Comments.ts").then(({ enhanceComments }) => enhanceComments(section, headers))
    })
  }
}
