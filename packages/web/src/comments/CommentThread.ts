import type { Answer } from "../api/Answer.ts"
import { failureText } from "../forms/Outcome.ts"
import { element } from "../player/Dom.ts"
import type { CommentApi, CommentTree, VideoComment } from "./CommentApi.ts"
import { createCommentForm } from "./CommentForm.ts"
import { type CommentItem, createItem, setText } from "./CommentItem.ts"
import type { CommentViewer } from "./Viewer.ts"
import { pageText } from "../i18n/PageText.ts"
import { messages } from "../messages/en/comments.ts"

const t = pageText("comments", messages)

/** What all comments of a page share. */
export interface Conversation {
  readonly api: CommentApi
  readonly viewer: CommentViewer | undefined
  /** Account of the video's owner. */
  readonly owner: number
  /** Whether anybody may write. */
  readonly open: boolean
  /** Changes the number above the comments: of all that the reader sees, those that wait for review too. */
  readonly count: (change: number) => void
  /** Says something where screen readers hear it. */
  readonly say: (text: string) => void
}

const plain = (text: string, run: (button: HTMLButtonElement) => void): HTMLButtonElement => {
  const button = element("button", { type: "button", class: "plain-button" }, text)
  button.addEventListener("click", () => run(button))
  return button
}

/** Runs a request with its button out of use meanwhile. */
const busy = async <A>(button: HTMLButtonElement, run: () => Promise<A>): Promise<A> => {
  button.disabled = true
  button.setAttribute("aria-busy", "true")
  try {
    return await run()
  } finally {
    button.disabled = false
    button.removeAttribute("aria-busy")
  }
}

const repliesText = (count: number) => t("showReplies", { count })

/** What the page knows of a comment it shows. */
export interface Shown {
  readonly id: number
  readonly accountId: number | undefined
  readonly deleted: boolean
  readonly held: boolean
}

export const shownOf = (comment: VideoComment): Shown => ({
  id: comment.id,
  accountId: comment.account?.id,
  deleted: comment.isDeleted,
  held: comment.heldForReview
})

/** Gives a comment what can be done with it: reply, approve, delete. `more` stands first. */
const equip = (talk: Conversation, parts: CommentItem, shown: Shown, depth: number, more?: HTMLElement): void => {
  const { viewer } = talk
  const { actions, item } = parts
  actions.replaceChildren()
  if (more !== undefined) actions.append(more)
  if (viewer === undefined || shown.deleted) return
  const own = shown.accountId === viewer.accountId
  const reviews = viewer.moderates || viewer.accountId === talk.owner
  const fail = (answer: Answer) => talk.say(failureText(answer, undefined))

  if (talk.open && !shown.held)
    actions.append(plain(t("reply"), (button) => openReply(talk, parts, shown.id, depth, button)))
  // What waits for review is shown to its author and to who may approve it, to nobody else.
  if (shown.held && (reviews || !own)) {
    actions.append(
      plain(t("approve"), async (button) => {
        const answer = await busy(button, () => talk.api.approve(shown.id))
        if (!answer.ok) return fail(answer)
        item.querySelector(":scope > .comment-body > .comment-head > .held")?.remove()
        talk.say(t("approved"))
        equip(talk, parts, { ...shown, held: false }, depth, more)
        actions.querySelector("button")?.focus()
      })
    )
  }
  if (!own && !reviews && !shown.held) return
  const ask = plain(t("remove"), () => {
    const really = plain(t("removeThis"), async (button) => {
      const answer = await busy(button, () => talk.api.remove(shown.id))
      if (!answer.ok) return fail(answer)
      talk.count(-1)
      talk.say(t("removed"))
      leave(parts, more !== undefined)
    })
    really.classList.add("danger")
    const keep = plain(t("keep"), () => {
      choice.replaceWith(ask)
      ask.focus()
    })
    const choice = element(
      "span",
      { class: "comment-choice", role: "group", "aria-label": t("removeAsk") },
      really,
      keep
    )
    ask.replaceWith(choice)
    keep.focus()
  })
  actions.append(ask)
}

/** A deleted comment stays on the page as long as there are replies to it. */
const leave = ({ item }: CommentItem, hasMore: boolean): void => {
  const next = item.nextElementSibling ?? item.previousElementSibling ?? item.closest("section")
  if (!hasMore && item.querySelector(".comment-replies > li") === null) {
    item.remove()
    next?.querySelector<HTMLElement>("button, a, textarea")?.focus()
    return
  }
  item.querySelector(":scope > .face")?.replaceChildren()
  item
    .querySelector(":scope > .comment-body > .comment-head")
    ?.replaceChildren(element("span", { class: "comment-gone" }, t("deletedAuthor")))
  item
    .querySelector(":scope > .comment-body > .comment-text")
    ?.replaceChildren(element("p", { class: "comment-gone" }, t("deleted")))
  for (const button of item.querySelectorAll(":scope > .comment-body > .comment-actions > :not(.comment-more)")) {
    button.remove()
  }
}

const openReply = (
  talk: Conversation,
  parts: CommentItem,
  id: number,
  depth: number,
  button: HTMLButtonElement
): void => {
  const there = parts.item.querySelector<HTMLElement>(":scope > .comment-body > .comment-form textarea")
  if (there !== null) return there.focus()
  const close = () => {
    form.form.remove()
    button.focus()
  }
  const form = createCommentForm(
    t("reply"),
    t("reply"),
    async (text) => {
      const answer = await talk.api.write(text, id)
      if (!answer.ok) return answer
      addReply(talk, parts, { comment: answer.body.comment, totalChildren: 0, children: [] }, depth + 1)
      talk.count(1)
      talk.say(answer.body.comment.heldForReview ? t("replyWaits") : t("replyThere"))
      close()
      return undefined
    },
    close
  )
  parts.actions.after(form.form)
  form.focus()
}

/** Shows a reply below a comment, unless it is there already. */
const addReply = (talk: Conversation, parts: CommentItem, tree: CommentTree, depth: number): void => {
  if (document.getElementById(`comment-${tree.comment.id}`) !== null) return
  const made = createItem(tree.comment, talk.owner, depth)
  made.item.hidden = tree.comment.isDeleted && tree.totalChildren === 0
  parts.below().append(made.item)
  showTree(talk, made, tree, depth)
}

/** Shows the replies that were loaded, and a button for the rest. */
const showTree = (talk: Conversation, parts: CommentItem, tree: CommentTree, depth: number): void => {
  const { id } = tree.comment
  for (const child of tree.children) addReply(talk, parts, child, depth + 1)
  let loaded = tree.children.length
  let more: HTMLButtonElement | undefined
  if (loaded < tree.totalChildren) {
    more = plain(repliesText(tree.totalChildren - loaded), async (button) => {
      const answer = await busy(button, () => talk.api.replies(id, loaded))
      if (!answer.ok) return talk.say(failureText(answer, undefined))
      const { data, total } = answer.body
      for (const child of data) addReply(talk, parts, child, depth + 1)
      loaded += data.length
      if (data.length === 0 || loaded >= total) {
        button.remove()
        return document
          .getElementById(`comment-${data[0]?.comment.id}`)
          ?.querySelector<HTMLElement>("a, button")
          ?.focus()
      }
      button.textContent = repliesText(total - loaded)
    })
    more.classList.add("comment-more")
  }
  equip(talk, parts, shownOf(tree.comment), depth, more)
}

/** A thread of a list: its replies are asked for when somebody wants to read them. */
export const showThread = (
  talk: Conversation,
  parts: CommentItem,
  thread: Shown & { readonly replies: number },
  cut = false
): void => {
  const open = async (button: HTMLButtonElement): Promise<void> => {
    const answer = await busy(button, () => talk.api.thread(thread.id))
    if (!answer.ok) return talk.say(failureText(answer, undefined))
    const tree = answer.body
    if (cut) setText(parts.item, tree.comment)
    showTree(talk, parts, tree, 0)
    parts.below().querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true })
  }
  const more = thread.replies > 0 ? plain(repliesText(thread.replies), open) : undefined
  const whole = cut && more === undefined ? plain(t("showAll"), open) : more
  whole?.classList.add("comment-more")
  equip(talk, parts, thread, 0, whole)
}
