import { hasRight, type UserRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Option } from "effect"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"

/** Whether the user may work on what the channel of the video holds: its owner, and who accepted to collaborate. */
export const worksOn = (video: VideoFacts, user: CurrentUserShape): boolean =>
  mayOnChannel(user, "publish", {
    id: video.channelId,
    accountId: video.accountId,
    isLocal: !video.remote,
    collaborators: video.collaborators
  })

const worksOnOr =
  (right: UserRight) =>
  (video: VideoFacts, user: Option.Option<CurrentUserShape>): boolean =>
    Option.isSome(user) && (worksOn(video, user.value) || hasRight(user.value.role, right))

/** Whether the user may delete the video. */
export const mayRemove = worksOnOr("REMOVE_ANY_VIDEO")

/** Whether the user may change the video, and see what only its makers see. */
export const mayUpdate = worksOnOr("UPDATE_ANY_VIDEO")

/** Whether the user may see how many watched the video, and how: those who work on it, and moderators. */
export const maySeeFigures = worksOnOr("SEE_ALL_VIDEOS")

/** Whether the user may give the video to somebody else: collaborators may not. */
export const mayGive = (video: VideoFacts, user: CurrentUserShape): boolean =>
  !video.remote && (user.accountId === video.accountId || hasRight(user.role, "CHANGE_VIDEO_OWNERSHIP"))
