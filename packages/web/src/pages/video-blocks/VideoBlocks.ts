import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import type { TextQuestion } from "../admin/TextDialog.tsx"

const t = text("blocks")

export type VideoBlock = Output<"GET /api/v1/videos/blacklist">["data"][number]

/** Whether the instance took the video from view by itself, until somebody has looked at it. */
export const waits = (block: VideoBlock): boolean => block.type !== VideoBlockType.manual

export const addressOf = (block: VideoBlock): string => `/w/${block.video.shortUUID}`

/** Lets a video be seen again: what a review accepts is the same. */
export const unblock = (block: VideoBlock): Promise<Answer> =>
  call("DELETE /api/v1/videos/:id/blacklist", { params: { id: block.video.uuid } })

/** Asks for the reason, which the owner reads. */
export const reasonQuestion = (block: VideoBlock): TextQuestion => ({
  title: t("reasonTitle"),
  text: t("reasonText", { name: block.video.name }),
  label: t("reason"),
  action: t("saveReason"),
  initial: block.reason ?? "",
  max: constraints.videoBlock.reason.max,
  send: (words) =>
    call("PUT /api/v1/videos/:id/blacklist", {
      params: { id: block.video.uuid },
      body: { reason: words === "" ? null : words }
    }),
  said: t("reasonSaved")
})

/** Asks for a note that moderators alone read. */
export const noteQuestion = (block: VideoBlock): TextQuestion => ({
  title: t("noteTitle"),
  text: t("noteText", { name: block.video.name }),
  label: t("note"),
  action: t("saveNote"),
  initial: block.internalNote ?? "",
  max: constraints.videoBlock.internalNote.max,
  send: (words) =>
    call("PUT /api/v1/videos/:id/blacklist", {
      params: { id: block.video.uuid },
      body: { internalNote: words === "" ? null : words }
    }),
  said: t("noteSaved")
})
