import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ImportFacts } from "@kinora/storage/video/import/ImportRows"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"

const worksOnVideo = (user: CurrentUserShape, { video }: ImportFacts): boolean =>
  video !== null &&
  mayOnChannel(user, "publish", {
    id: video.channelId,
    accountId: video.accountId,
    isLocal: true,
    collaborators: video.collaborators
  })

const moderates = (user: CurrentUserShape): boolean => hasRight(user.role, "MANAGE_VIDEO_IMPORTS")

/** Whether the import is the user's own: they started it, or work on its channel. */
export const isOwnImport = (user: CurrentUserShape, found: ImportFacts): boolean =>
  user.id === found.userId || worksOnVideo(user, found)

/**
 * Whether the user may cancel and remove an import: the user who started it, those who work on the channel, and
 * moderators.
 */
export const mayEndImport = (user: CurrentUserShape, found: ImportFacts): boolean =>
  isOwnImport(user, found) || moderates(user)

/** Whether the import becomes the user's own when they retry it: the user who started it may have left the channel. */
export const mayTakeOverImport = worksOnVideo

/** Whether the user may retry it: only those who work on the channel now, even if they started it. */
export const mayRetryImport = (user: CurrentUserShape, found: ImportFacts): boolean =>
  worksOnVideo(user, found) || moderates(user)
