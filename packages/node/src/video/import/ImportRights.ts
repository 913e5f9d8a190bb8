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

/** Whether the user may end and forget an import: who asked for it, who works on the channel, and moderators. */
export const mayEndImport = (user: CurrentUserShape, found: ImportFacts): boolean =>
  user.id === found.userId || worksOnVideo(user, found) || moderates(user)

/** Whether the import is the user's own as soon as they begin it again: who asked for it may have left the channel. */
export const mayTakeOverImport = worksOnVideo

/** Whether the user may begin it again: who works on the channel no longer may not, although they asked for it once. */
export const mayRetryImport = (user: CurrentUserShape, found: ImportFacts): boolean =>
  worksOnVideo(user, found) || moderates(user)
