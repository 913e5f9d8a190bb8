import { CommentsPolicy } from "@kinora/domain/enums/CommentsPolicy"
import type { CommentThreads, VideoComment } from "@kinora/domain/wire/Comment"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import { toSafeHtml } from "../platform/markdown/Markdown.ts"
import { face, handleOf } from "./Cards.ts"
import { truncate } from "../platform/html/Escape.ts"
import { Html, html, nothing } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { ago, amount } from "./Text.ts"

/** Longer comments are cut: the page is the same for every reader, and the browser code shows the whole text. */
const longest = 2_000

const text = (comment: VideoComment): Html => Html.trusted(toSafeHtml(truncate(comment.text, longest)))

const author = (language: PageLanguage, comment: VideoComment, video: VideoDetails, ownHost: string): Html =>
  comment.account === null
    ? html`<span class="comment-gone">${language.text("watch")("deletedAuthor")}</span>`
    : html`<a class="comment-by" href="/a/${handleOf(comment.account, ownHost)}" dir="auto"
          >${comment.account.displayName}</a
        >${comment.account.id === video.account.id && html`<span class="comment-badge">${language.text("watch")("videoAuthor")}</span>`}`

const deleted = (language: PageLanguage): Html =>
  html`<p class="comment-gone">${language.text("watch")("deletedComment")}</p>`

/** Readers learn of a deleted comment by the replies to it: without any, its place stays empty. */
const isEmpty = ({ isDeleted, totalReplies }: VideoComment): boolean => isDeleted && totalReplies === 0

/** One thread. Its `data-` attributes save the browser code requests. */
const item = (language: PageLanguage, comment: VideoComment, video: VideoDetails, ownHost: string, now: number): Html =>
  html`<li
    class="comment"
    id="comment-${comment.id}"
    data-comment="${comment.id}"
    data-replies="${comment.totalReplies}"
    ${comment.isDeleted && html`data-deleted`}
    ${isEmpty(comment) && html`hidden`}
    ${comment.account !== null && html`data-account="${comment.account.id}"`}
    ${comment.text.length > longest && html`data-cut`}
  >
    ${comment.account === null ? html`<span class="face" aria-hidden="true"></span>` : face(comment.account, 72)}
    <div class="comment-body">
      <p class="comment-head">
        ${author(language, comment, video, ownHost)}<time
          datetime="${comment.createdAt}"
          title="${language.day(comment.createdAt)}"
          >${ago(language, Date.parse(comment.createdAt), now)}</time
        >
      </p>
      <div class="comment-text rich" dir="auto">${comment.isDeleted ? deleted(language) : text(comment)}</div>
      <div class="comment-actions">
        ${comment.totalReplies > 0 && html`<span>${amount(language, "replies", comment.totalReplies)}</span>`}
      </div>
    </div>
  </li>`

const notice = (language: PageLanguage, video: VideoDetails): Html =>
  video.commentsPolicy.id === CommentsPolicy.disabled
    ? html`<p class="comment-notice">${language.text("watch")("commentsOff")}</p>`
    : html`<p class="comment-notice" data-empty>${language.text("watch")("noComments")}</p>`

/**
 * Comments on a video: the newest threads, for every reader. The browser code adds replies, sorting and writing, from
 * the `data-` attributes.
 */
export const commentSection = (
  language: PageLanguage,
  video: VideoDetails,
  threads: CommentThreads,
  ownHost: string,
  now: number
): Html => {
  const t = language.text("watch")
  return html`<section
    class="comments"
    aria-label="${t("comments")}"
    data-comments="${video.uuid}"
    data-policy="${video.commentsPolicy.id}"
    data-owner="${video.account.id}"
    data-total="${threads.total}"
  >
    <h2>${t("comments")} <span data-count>${threads.totalNotDeletedComments}</span></h2>
    ${threads.data.every(isEmpty) ? notice(language, video) : nothing}
    <ol class="comment-list">
      ${threads.data.map((comment) => item(language, comment, video, ownHost, now))}
    </ol>
    ${
      threads.total > threads.data.length &&
      html`<noscript><p class="comment-notice">${t("olderNeedScript")}</p></noscript>`
    }
  </section>`
}
