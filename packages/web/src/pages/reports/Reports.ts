import { AbuseState } from "@kinora/domain/enums/AbuseState"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { act } from "../admin/Acts.ts"
import { handleOf } from "../admin/People.tsx"
import type { TextQuestion } from "../admin/TextDialog.tsx"

const t = text("reports")

export type Report = Output<"GET /api/v1/abuses">["data"][number]

/** Decides on a report, or opens it again. */
export const decide = (report: Report, state: AbuseState): Promise<boolean> =>
  act(call("PUT /api/v1/abuses/:abuseId", { params: { abuseId: report.id }, body: { state } }), t("decided", { state }))

/** Deletes a report once the moderator has said yes. */
export const deleteReport = async (report: Report): Promise<boolean> => {
  const yes = await confirm({ title: t("deleteTitle"), text: t("deleteText"), action: t("delete"), danger: true })
  return yes && (await act(call("DELETE /api/v1/abuses/:abuseId", { params: { abuseId: report.id } }), t("deleted")))
}

/** Mutes the reported account for everybody, once the moderator has said yes. */
export const muteAccount = async ({ flaggedAccount }: Report): Promise<boolean> => {
  if (flaggedAccount === undefined) return false
  const name = handleOf(flaggedAccount)
  const yes = await confirm({ title: t("muteTitle", { name }), text: t("muteText"), action: t("mute"), danger: true })
  return (
    yes &&
    (await act(call("POST /api/v1/server/blocklist/accounts", { body: { accountName: name } }), t("muted", { name })))
  )
}

/** Deletes the reported comment, once the moderator has said yes. */
export const deleteComment = async ({ comment }: Report): Promise<boolean> => {
  if (comment === undefined) return false
  const yes = await confirm({
    title: t("deleteCommentTitle"),
    text: t("deleteCommentText"),
    action: t("delete"),
    danger: true
  })
  return (
    yes &&
    (await act(
      call("DELETE /api/v1/videos/:id/comments/:commentId", {
        params: { id: comment.video.id, commentId: comment.id }
      }),
      t("commentDeleted")
    ))
  )
}

/** What is asked before the reported video is blocked. */
export const blockQuestion = (video: NonNullable<Report["video"]>): TextQuestion => ({
  title: t("blockTitle", { name: video.name }),
  text: t("blockText"),
  label: t("blockReason"),
  help: t("blockReasonHelp"),
  action: t("block"),
  danger: true,
  max: 300,
  choice: { label: t("unfederate"), help: t("unfederateHelp"), initial: false },
  send: (reason, unfederate) =>
    call("POST /api/v1/videos/:id/blacklist", {
      params: { id: video.id },
      body: { ...(reason === "" ? {} : { reason }), unfederate }
    }),
  said: t("blocked")
})

/** What moderators note about a report for each other. */
export const noteQuestion = (report: Report): TextQuestion => ({
  title: t("noteTitle"),
  label: t("note"),
  help: t("noteHelp"),
  action: t("saveNote"),
  initial: report.moderationComment ?? "",
  max: 3000,
  send: (note) =>
    call("PUT /api/v1/abuses/:abuseId", {
      params: { abuseId: report.id },
      body: { moderationComment: note === "" ? null : note }
    }),
  said: t("noteSaved")
})

export const isPending = (report: Report): boolean => report.state.id === AbuseState.pending
