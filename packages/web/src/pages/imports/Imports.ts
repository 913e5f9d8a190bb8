import { VideoImportState } from "@kinora/domain/enums/VideoImportState"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { actOnAll } from "../admin/Acts.ts"

const t = text("imports")

export type Import = Output<"GET /api/v1/users/me/videos/imports">["data"][number]

/** Whether it waits or runs: such an import can be cancelled, and none that has ended. */
export const isOpen = ({ state }: Import): boolean =>
  state.id === VideoImportState.pending || state.id === VideoImportState.processing

/** A failed import can be tried again as long as its video is there. */
export const isRetryable = ({ state, video }: Import): boolean =>
  state.id === VideoImportState.failed && video !== undefined && video !== null

/** Where an import comes from, in words. */
export const sourceWords = ({ magnetUri, targetUrl, torrentName }: Import): string =>
  targetUrl ?? (torrentName === null ? (magnetUri ?? "") : t("fromTorrent", { name: torrentName }))

/** What an import is called: its video, or where it comes from. */
export const nameOf = (it: Import): string => it.video?.name ?? sourceWords(it)

/** Tries imports again that failed. */
export const retry = (imports: ReadonlyArray<Import>): Promise<boolean> =>
  actOnAll(
    imports,
    ({ id }) => call("POST /api/v1/videos/imports/:id/retry", { params: { id } }),
    (count) => t("retried", { count })
  )

/** Cancels imports once the person has said yes. */
export const cancel = async (imports: ReadonlyArray<Import>): Promise<boolean> => {
  const yes = await confirm({
    title: t("cancelAsk", { count: imports.length }),
    text: t("cancelText"),
    action: t("cancel"),
    danger: true
  })
  if (!yes) return false
  return await actOnAll(
    imports,
    ({ id }) => call("POST /api/v1/videos/imports/:id/cancel", { params: { id } }),
    (count) => t("cancelled", { count })
  )
}

/** Takes imports that have ended off the list; their videos stay. */
export const remove = (imports: ReadonlyArray<Import>): Promise<boolean> =>
  actOnAll(
    imports,
    ({ id }) => call("DELETE /api/v1/videos/imports/:id", { params: { id } }),
    (count) => t("removed", { count })
  )
