import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** What can be done to a channel. */
export type ChannelAction =
  /** Upload to it, and change or remove what it holds. */
  | "publish"
  /** Change names, texts and pictures of the channel. */
  | "edit"
  /** See figures, followers, activities and collaborators. */
  | "see"
  /** Invite collaborators, who publish then. */
  | "invite"
  /** End collaborations and take invitations back. */
  | "collaborators"
  /** Give the channel away. */
  | "give"
  | "delete"

/** As much of a channel as decisions need. */
export interface ChannelFacts {
  readonly id: number
  /** The account that owns it. */
  readonly accountId: number
  readonly isLocal: boolean
  /** Accounts that accepted to work on it. */
  readonly collaborators: ReadonlyArray<number>
}

const collaboratorsMay: ReadonlySet<ChannelAction> = new Set<ChannelAction>(["publish", "edit", "see"])

/** What moderators do to channels of others: never publish in their name. */
const moderatorsMay: ReadonlySet<ChannelAction> = new Set<ChannelAction>(["edit", "see", "collaborators", "delete"])

/**
 * May this user do this to that channel? The one rule for the API, uploads, files and pages. The owner may do all;
 * collaborators publish, edit and see; moderators edit, see and remove; giving channels of others away, or letting others
 * in, has a right of its own, which administrators have: moderators could let themselves in. Channels of other instances
 * are nobody's.
 */
export const mayOnChannel = (asker: CurrentUserShape, action: ChannelAction, channel: ChannelFacts): boolean => {
  if (!channel.isLocal) return false
  if (asker.accountId === channel.accountId) return true
  if (channel.collaborators.includes(asker.accountId) && collaboratorsMay.has(action)) return true
  if (action === "give" || action === "invite") return hasRight(asker.role, "CHANGE_VIDEO_OWNERSHIP")
  return hasRight(asker.role, "MANAGE_ANY_VIDEO_CHANNEL") && moderatorsMay.has(action)
}
