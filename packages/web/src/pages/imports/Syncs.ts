import { VideoChannelSyncState } from "@kinora/domain/enums/VideoChannelSyncState"
import type { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { act } from "../admin/Acts.ts"

const t = text("imports")

export type Sync = Output<"GET /api/v1/accounts/:name/video-channel-syncs">["data"][number]

/** Whether something will change soon by itself. */
export const isMoving = ({ state }: Sync): boolean =>
  state.id === VideoChannelSyncState.waitingFirstRun || state.id === VideoChannelSyncState.processing

/** What is fetched of a channel elsewhere. */
export const wholes = ["new", "all", "once"] as const
export type Whole = (typeof wholes)[number]

interface Wanted {
  readonly whole: Whole
  readonly externalChannelUrl: string
  readonly channelId: number
  /** Name of that channel. */
  readonly channelHandle: string
  readonly privacy: VideoPrivacy
}

/** Begins to fetch a channel: from now on, with what was published before, or that alone. */
export const begin = async (wanted: Wanted): Promise<Answer> => {
  const { channelHandle, channelId, externalChannelUrl, privacy, whole } = wanted
  if (whole === "once") {
    const params = { channelHandle }
    return await call("POST /api/v1/video-channels/:channelHandle/import-videos", {
      params,
      body: { externalChannelUrl }
    })
  }
  // The API makes no synchronisation with a password: the form offers none.
  const videoPrivacy = privacy === 5 ? undefined : privacy
  const made = await call("POST /api/v1/video-channel-syncs", {
    body: { externalChannelUrl, videoChannelId: channelId, videoPrivacy }
  })
  if (!made.ok || whole === "new") return made
  const params = { channelSyncId: made.body.videoChannelSync.id }
  return await call("POST /api/v1/video-channel-syncs/:channelSyncId/sync", { params })
}

/** Fetches at once all that was not fetched before. */
export const fetchNow = ({ id }: Sync): Promise<boolean> =>
  act(call("POST /api/v1/video-channel-syncs/:channelSyncId/sync", { params: { channelSyncId: id } }), t("syncFetched"))

/** Ends a synchronisation once the person has said yes. */
export const end = async ({ externalChannelUrl, id }: Sync): Promise<boolean> => {
  const yes = await confirm({
    title: t("syncEndAsk"),
    text: t("syncEndText", { address: externalChannelUrl }),
    action: t("syncEnd"),
    danger: true
  })
  const params = { channelSyncId: id }
  return yes && (await act(call("DELETE /api/v1/video-channel-syncs/:channelSyncId", { params }), t("syncEnded")))
}
