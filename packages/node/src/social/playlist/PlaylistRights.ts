import { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import { PlaylistElementType, PlaylistType } from "@kinora/domain/enums/PlaylistType"
import { hasRight, type UserRight } from "@kinora/domain/enums/UserRight"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { PlaylistPlace } from "@kinora/storage/social/playlist/PlaylistElementReads"
import type { PlaylistFacts } from "@kinora/storage/social/playlist/PlaylistRows"
import { Option } from "effect"
import { mayOnChannel } from "../../people/channel/ChannelRights.ts"
import { mayLookUp, type RemoteUri } from "../../people/rights/LookUpRight.ts"
import { decide, manages } from "../../video/list/VideoVisibility.ts"

type Asker = Option.Option<CurrentUserShape>

/** Whether the user works on the playlist: its owner, and who collaborates on the channel it is in. */
export const worksOnPlaylist = (playlist: PlaylistFacts, user: CurrentUserShape): boolean =>
  !playlist.remote &&
  (user.accountId === playlist.ownerAccountId ||
    (playlist.channelId !== null &&
      mayOnChannel(user, "publish", {
        id: playlist.channelId,
        accountId: playlist.ownerAccountId,
        isLocal: true,
        collaborators: playlist.collaborators
      })))

/** "Watch later" is between the user and nobody: no right reaches it. */
const worksOnOr =
  (right: UserRight) =>
  (playlist: PlaylistFacts, user: CurrentUserShape): boolean =>
    worksOnPlaylist(playlist, user) ||
    (!playlist.remote && playlist.type === PlaylistType.regular && hasRight(user.role, right))

/** Whether the user may change the playlist and what stands in it. */
export const mayUpdatePlaylist = worksOnOr("UPDATE_ANY_VIDEO_PLAYLIST")

/** Whether the user may delete the playlist. */
export const mayRemovePlaylist = worksOnOr("REMOVE_ANY_VIDEO_PLAYLIST")

/** Whether the user may take the playlist out of its channel, or put it into one of others: it would not be theirs then. */
export const mayMovePlaylist = (playlist: PlaylistFacts, user: CurrentUserShape): boolean =>
  !playlist.remote && user.accountId === playlist.ownerAccountId

/** `login`: who logs in may see it, or learn more; `hidden`: as if it were not there. */
export type PlaylistDecision = "open" | "login" | "forbidden" | "hidden"

/**
 * Who may see a playlist: the one rule for the API, pages and feeds. Public ones everybody; unlisted ones who knows the
 * UUID; private ones who works on them, and who may change any. Who counts through row ids does not learn that
 * others are there.
 */
export const decidePlaylist = (playlist: PlaylistFacts, user: Asker, id: PlaylistIdOrUuid): PlaylistDecision => {
  if (playlist.privacy === PlaylistPrivacy.public) return "open"
  if (Option.isSome(user) && mayUpdatePlaylist(playlist, user.value)) return "open"
  if (id._tag === "Id") return "hidden"
  if (playlist.privacy === PlaylistPrivacy.unlisted) return "open"
  return Option.isNone(user) ? "login" : "forbidden"
}

/**
 * What stands at a place for who looks at it. Who made the playlist shows an unlisted video by putting it in; all else is
 * as `VideoVisibility` decides. What nobody here follows is for those who may look things up.
 */
export const elementType = (place: PlaylistPlace, user: Asker, remoteUri: RemoteUri): PlaylistElementType => {
  const { blocked, unfollowed, video } = place
  if (video === null) return PlaylistElementType.deleted
  const decision = decide(video, user, "uuid")
  if (decision === "open") {
    const hidden = blocked || (unfollowed && !manages(video, user) && !mayLookUp(remoteUri, user))
    return hidden ? PlaylistElementType.unavailable : PlaylistElementType.regular
  }
  const isClosed = decision === "password" || decision === "login" || decision === "forbidden"
  return isClosed && !video.blacklisted ? PlaylistElementType.private : PlaylistElementType.unavailable
}
