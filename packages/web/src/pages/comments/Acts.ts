import type { Answer, Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { report } from "../../ui/Outcome.ts"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("review")

/** Whose comments are reviewed: those below the user's videos, or all for the instance. */
export type Reviewing = "users/me" | "server"

export type Comment = Output<"GET /api/v1/users/me/videos/comments">["data"][number]

/** The name by which the API knows an account. */
const handleOf = ({ account }: Comment): string => `${account.name}@${account.host}`

/** The same with every comment, a few at a time; says what came of it. */
const withAll = async (
  comments: ReadonlyArray<Comment>,
  act: (comment: Comment) => Promise<Answer>,
  said: (count: number) => string
): Promise<boolean> => {
  const failures: Array<Failure> = []
  for (let at = 0; at < comments.length; at += 4) {
    const answers = await Promise.all(comments.slice(at, at + 4).map(act))
    for (const answer of answers) if (!answer.ok && answer.status !== 404) failures.push(answer)
  }
  const [first] = failures
  if (first !== undefined) toast(t("someFailed", { count: failures.length, reason: failureWords(first) }), "failed")
  const went = comments.length - failures.length
  if (went > 0) toast(said(went))
  return went > 0
}

const paramsOf = (comment: Comment) => ({ id: comment.video.id, commentId: comment.id })

/** Lets comments that wait be read by all. */
export const approve = (comments: ReadonlyArray<Comment>): Promise<boolean> =>
  withAll(
    comments,
    (it) => call("POST /api/v1/videos/:id/comments/:commentId/approve", { params: paramsOf(it) }),
    (count) => t("approved", { count })
  )

/** Deletes comments once the person has said yes. */
export const remove = async (comments: ReadonlyArray<Comment>): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteAsk", { count: comments.length }),
    text: t("deleteText"),
    action: t("delete"),
    danger: true
  })
  if (!yes) return false
  return await withAll(
    comments,
    (it) => call("DELETE /api/v1/videos/:id/comments/:commentId", { params: paramsOf(it) }),
    (count) => t("deleted", { count })
  )
}

/** Deletes all that an account wrote below the user's videos, or anywhere on the instance. */
export const removeAllOf = async (by: Reviewing, comment: Comment): Promise<boolean> => {
  const name = comment.account.displayName
  const yes = await confirm({
    title: by === "server" ? t("deleteEverywhereAsk", { name }) : t("deleteAllAsk", { name }),
    text: t("deleteAllText"),
    action: t("delete"),
    danger: true
  })
  if (!yes) return false
  const body = {
    accountName: handleOf(comment),
    scope: by === "server" ? ("instance" as const) : ("my-videos" as const)
  }
  return report(await call("POST /api/v1/bulk/remove-comments-of", { body }), t("deletedAll", { name }))
}

/** Mutes who wrote a comment, for the user or for everybody. */
export const mute = async (by: Reviewing, comment: Comment): Promise<boolean> => {
  const answer = await call(`POST /api/v1/${by}/blocklist/accounts`, { body: { accountName: handleOf(comment) } })
  return report(answer, t("muted", { name: comment.account.displayName }))
}
