import { element } from "../player/Dom.ts"
import type { VideoComment } from "./CommentApi.ts"
import { documentLanguage } from "../i18n/DocumentLanguage.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/comments.ts"

const t = pageText("comments", messages)

const units: ReadonlyArray<readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit]> = [
  [31_556_952, "year"],
  [2_629_746, "month"],
  [604_800, "week"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"]
]

const ago = (iso: string): string => {
  const seconds = Math.max(0, (Date.now() - Date.parse(iso)) / 1000)
  const unit = units.find(([size]) => seconds >= size)
  return unit === undefined
    ? t("justNow")
    : new Intl.RelativeTimeFormat(documentLanguage()).format(-Math.floor(seconds / unit[0]), unit[1])
}

/** Replies deeper than this stand below each other: phones have no room for more steps. */
const deepest = 4

const face = (account: VideoComment["account"]): HTMLElement => {
  const place = element("span", { class: "face", "aria-hidden": "true" })
  if (account === null) return place
  const image = account.avatars.toSorted((a, b) => a.width - b.width).find((it) => it.width >= 72) ?? account.avatars[0]
  const address = image === undefined ? "" : image.path || image.fileUrl
  if (address === "") place.append([...account.displayName.trim()][0]?.toUpperCase() ?? "?")
  else place.append(element("img", { src: address, alt: "", loading: "lazy" }))
  return place
}

const author = ({ account }: VideoComment, owner: number): Array<HTMLElement> => {
  if (account === null) return [element("span", { class: "comment-gone" }, t("deletedAuthor"))]
  const handle = account.host === location.host ? account.name : `${account.name}@${account.host}`
  const name = element("a", { class: "comment-by", href: `/a/${handle}`, dir: "auto" }, account.displayName)
  if (account.id !== owner) return [name]
  return [name, element("span", { class: "comment-badge" }, t("author"))]
}

/** A comment on the page. */
export interface CommentItem {
  readonly item: HTMLLIElement
  readonly actions: HTMLElement
  /** Where replies stand; made when the first is shown. */
  readonly below: () => HTMLOListElement
}

/** Finds the parts of a comment that stands on the page already. */
export const partsOf = (item: HTMLLIElement, depth: number): CommentItem => {
  const body = item.querySelector<HTMLElement>(".comment-body")!
  let list = body.querySelector<HTMLOListElement>(":scope > .comment-replies")
  return {
    item,
    actions: body.querySelector<HTMLElement>(":scope > .comment-actions")!,
    below: () => {
      list ??= body.appendChild(
        element("ol", {
          class: depth < deepest ? "comment-replies" : "comment-replies flat",
          "aria-label": t("replies")
        })
      )
      return list
    }
  }
}

/** Shows the text as it is at once, and formatted when what formats it is there: it weighs more than all else here. */
const showFormatted = (place: HTMLElement, text: string): void => {
  place.textContent = text
  void import("../markdown/MarkdownNodes.ts").then(
    ({ markdownNodes }) => {
      if (place.textContent === text) place.replaceChildren(markdownNodes(text))
    },
    () => undefined
  )
}

/** Writes the whole text into a comment that the server has cut. */
export const setText = (item: HTMLLIElement, comment: VideoComment): void => {
  const place = item.querySelector<HTMLElement>(".comment-text")
  if (place === null) return
  if (!comment.isDeleted) return showFormatted(place, comment.text)
  place.replaceChildren(element("p", { class: "comment-gone" }, t("deleted")))
}

/** A comment from the API, drawn like the server's pages draw it. */
export const createItem = (comment: VideoComment, owner: number, depth: number): CommentItem => {
  const when = element("time", {
    datetime: comment.createdAt,
    title: new Date(comment.createdAt).toLocaleString(documentLanguage())
  })
  when.textContent = ago(comment.createdAt)
  const head = element("p", { class: "comment-head" }, ...author(comment, owner), when)
  if (comment.heldForReview) {
    head.append(element("span", { class: "comment-badge held" }, t("held")))
  }
  const body = element(
    "div",
    { class: "comment-body" },
    head,
    element("div", { class: "comment-text rich", dir: "auto" }),
    element("div", { class: "comment-actions" })
  )
  const item = element("li", { class: "comment", id: `comment-${comment.id}` }, face(comment.account), body)
  item.hidden = comment.isDeleted && comment.totalReplies === 0
  setText(item, comment)
  return partsOf(item, depth)
}
