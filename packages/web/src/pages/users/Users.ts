import type { Input, Output } from "../../api/Endpoints.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import type { Answer } from "../../api/Answer.ts"
import { withPassword } from "../admin/Confirmed.tsx"
import type { TextQuestion } from "../admin/TextDialog.tsx"

const t = text("users")

export type User = Output<"GET /api/v1/users">["data"][number]

type Sort = NonNullable<NonNullable<Input<"GET /api/v1/users">["query"]>["sort"]>

const columns = ["username", "videoQuotaUsed", "createdAt", "lastLoginDate", "role"] as const
const sorts: ReadonlyArray<Sort> = columns.flatMap((it) => [it, `-${it}` as const])

/** The order in the address; newest first where there is none. */
export const asSort = (text: string | null): Sort => sorts.find((it) => it === text) ?? "-createdAt"

/** Most users that one request takes. */
const atOnce = 100

type Outcomes = Output<"POST /api/v1/users/bulk/delete">

/** What became of each user, in a toast. */
const say = (answer: Answer<Outcomes>, said: (count: number) => string): boolean => {
  if (!answer.ok) {
    toast(failureWords(answer), "failed")
    return false
  }
  const failed = answer.body.data.filter((it) => !it.done)
  const went = answer.body.data.length - failed.length
  if (failed[0] !== undefined) {
    toast(t("someFailed", { count: failed.length, reason: failed[0].detail ?? "" }), "failed")
  }
  if (went > 0) toast(said(went))
  return went > 0
}

const idsOf = (users: ReadonlyArray<User>): ReadonlyArray<number> => users.slice(0, atOnce).map(({ id }) => id)

/** What is asked before users are banned. */
export const banQuestion = (users: ReadonlyArray<User>): TextQuestion => ({
  title: t("banTitle", { count: users.length, name: users[0]?.username ?? "" }),
  text: t("banText"),
  label: t("banReason"),
  help: t("banReasonHelp"),
  action: t("ban"),
  danger: true,
  max: 500,
  send: (reason) =>
    call("POST /api/v1/users/bulk/block", {
      body: { userIds: idsOf(users), ...(reason === "" ? {} : { reason }) }
    }),
  said: t("banned", { count: users.length })
})

export const unban = async (users: ReadonlyArray<User>): Promise<boolean> =>
  say(await call("POST /api/v1/users/bulk/unblock", { body: { userIds: idsOf(users) } }), (count) =>
    t("unbanned", { count })
  )

/** Deletes users with everything that is theirs, once the person has said yes. */
export const deleteUsers = async (users: ReadonlyArray<User>): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteTitle", { count: users.length, name: users[0]?.username ?? "" }),
    text: t("deleteText"),
    action: t("delete"),
    danger: true
  })
  if (!yes) return false
  const answer = await withPassword(() => call("POST /api/v1/users/bulk/delete", { body: { userIds: idsOf(users) } }))
  return say(answer, (count) => t("deleted", { count }))
}
