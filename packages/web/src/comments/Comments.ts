import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import { createCommentApi, type ThreadSort, type VideoComment } from "./CommentApi.ts"
import { createCommentForm, loginHint } from "./CommentForm.ts"
import { createItem, partsOf } from "./CommentItem.ts"
import { type Conversation, showThread, shownOf } from "./CommentThread.ts"
import { findViewer } from "./Viewer.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/comments.ts"

const t = pageText("comments", messages)

const orders = [
  ["-createdAt", "newest"],
  ["-totalReplies", "mostReplies"]
] as const satisfies ReadonlyArray<readonly [ThreadSort, string]>
const disabled = 2
const reviewed = 3

const sortChoice = (choose: (sort: ThreadSort) => void): HTMLElement => {
  const select = element("select", { "aria-label": t("order") })
  for (const [value, label] of orders) select.append(element("option", { value }, t(label)))
  select.addEventListener("change", () => choose(select.value as ThreadSort))
  return select
}

/**
 * Makes a section of comments work: what the server has drawn stays for who reads along; who is logged in is shown what
 * only they see. `headers` open a video that is not for everybody.
 */
export const enhanceComments = async (
  section: HTMLElement,
  headers: () => Record<string, string> = () => ({})
): Promise<void> => {
  const policy = Number(section.dataset["policy"])
  const owner = Number(section.dataset["owner"])
  if (policy === disabled) return
  const api = createCommentApi(section.dataset["comments"] ?? "", headers)
  const list = section.querySelector<HTMLOListElement>(".comment-list")!
  const counter = section.querySelector<HTMLElement>("[data-count]")
  const status = element("p", { class: "outcome", role: "status", "aria-live": "polite" })
  const tools = element("div", { class: "comment-tools" })
  const end = element("div", { class: "comment-end" })
  section.querySelector("h2")?.after(tools)
  list.after(end)

  const viewer = await findViewer()
  let sort: ThreadSort = "-createdAt"
  let total = Number(section.dataset["total"] ?? 0)
  /** Threads loaded so far: where the next page begins. */
  let loaded = 0
  /** Counts reloads: an answer that was overtaken is dropped. */
  let latest = 0

  const showEmpty = () => {
    section.querySelector("[data-empty]")?.remove()
    if (list.querySelector(":scope > :not([hidden])") === null)
      list.before(element("p", { class: "comment-notice", "data-empty": true }, t("none")))
  }
  const talk: Conversation = {
    api,
    viewer,
    owner,
    open: true,
    count: (change) => {
      if (counter !== null) counter.textContent = String(Math.max(0, Number(counter.textContent) + change))
      showEmpty()
    },
    say: (text) => {
      status.classList.remove("failed")
      status.textContent = text
    }
  }

  const add = (comment: VideoComment, first = false) => {
    if (document.getElementById(`comment-${comment.id}`) !== null) return
    const made = createItem(comment, owner, 0)
    if (first) list.prepend(made.item)
    else list.append(made.item)
    showThread(talk, made, { ...shownOf(comment), replies: comment.totalReplies })
  }

  const showEnd = () => {
    end.replaceChildren()
    if (loaded >= total) return
    const more = element("button", { type: "button", class: "button quiet" }, t("more"))
    more.addEventListener("click", () => void load(false))
    end.append(more)
  }

  const load = async (anew: boolean): Promise<void> => {
    const mine = ++latest
    if (anew) loaded = 0
    list.setAttribute("aria-busy", "true")
    end.replaceChildren(element("p", { class: "comment-notice" }, t("loading")))
    const answer = await api.threads(loaded, sort)
    if (mine !== latest) return
    list.removeAttribute("aria-busy")
    if (!answer.ok) {
      const again = element("button", { type: "button", class: "button quiet" }, t("tryAgain"))
      again.addEventListener("click", () => void load(anew))
      end.replaceChildren(
        element("p", { class: "outcome failed", role: "alert" }, failureText(answer, undefined)),
        again
      )
      return
    }
    const { data, total: all, totalNotDeletedComments } = answer.body
    if (anew) list.replaceChildren()
    for (const comment of data) add(comment)
    loaded += data.length
    total = data.length === 0 ? loaded : all
    if (counter !== null) counter.textContent = String(totalNotDeletedComments)
    showEmpty()
    showEnd()
  }

  if (viewer === undefined) tools.append(loginHint())
  else {
    const { form } = createCommentForm(t("yours"), t("comment"), async (text) => {
      const answer = await api.write(text, undefined)
      if (!answer.ok) return answer
      add(answer.body.comment, true)
      talk.say(answer.body.comment.heldForReview ? t("waits") : t("there"))
      talk.count(1)
      return undefined
    })
    if (policy === reviewed) {
      form.append(element("p", { class: "comment-notice" }, t("reviewed")))
    }
    tools.append(form)
  }
  tools.append(status)

  const drawn = Array.from(list.querySelectorAll<HTMLLIElement>(":scope > li"))
  if (total > 1) {
    tools.append(
      sortChoice((chosen) => {
        sort = chosen
        void load(true)
      })
    )
  }
  if (viewer !== undefined || drawn.length === 0)
    return await (total > 0 || viewer !== undefined ? load(true) : undefined)
  loaded = drawn.length
  for (const item of drawn) {
    const { account, comment, cut, deleted, replies } = item.dataset
    showThread(
      talk,
      partsOf(item, 0),
      {
        id: Number(comment),
        accountId: account === undefined ? undefined : Number(account),
        deleted: deleted !== undefined,
        held: false,
        replies: Number(replies)
      },
      cut !== undefined
    )
  }
  showEnd()
}
