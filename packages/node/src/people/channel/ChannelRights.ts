import { hasRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** What can be done to a channel. */
export type ChannelAction =
  /** Upload to it, and change or remove what it holds. */
  | "publish"
  /** Change names, texts and pictures of the channel. */
  | "edit"
  /** See statistics, followers, activities and collaborators. */
  | "see"
  /** Invite collaborators, who can then publish. */
  | "invite"
  /** Remove collaborators and withdraw invitations. */
  | "collaborators"
  /** Give the channel to another account. */
  | "give"
  | "delete"

/** The parts of a channel that decisions need. */
export interface ChannelFacts {
  readonly id: number
  /** The account that owns it. */
  readonly accountId: number
  readonly isLocal: boolean
  /** Accounts that accepted to collaborate on it. */
  readonly collaborators: ReadonlyArray<number>
}

const collaboratorsMay: ReadonlySet<ChannelAction> = new Set<ChannelAction>(["publish", "edit", "see"])

/** What moderators may do to the channels of others. Never publish in their name. */
const moderatorsMay: ReadonlySet<ChannelAction> = new Set<ChannelAction>(["edit", "see", "collaborators", "delete"])

/** Whether the channel is the user's own as far as this goes: they own it, or collaborate on it. */
export const worksOnChannel = (asker: CurrentUserShape, action: ChannelAction, channel: ChannelFacts): boolean =>
  asker.accountId === channel.accountId ||
  (channel.collaborators.includes(asker.accountId) && collaboratorsMay.has(action))

/**
 * May this user do this to that channel? The one rule for the API, uploads, files and pages. The owner may do
 * everything. Collaborators publish, edit and see. Moderators edit, see and remove. Giving away somebody else's channel
 * or inviting collaborators to it needs a right that only administrators have: otherwise moderators could invite
 * themselves. Nobody manages channels of other instances.
 */
export const mayOnChannel = (asker: CurrentUserShape, action: ChannelAction, channel: ChannelFacts): boolean => {
  if (!channel.isLocal) return false
  if (worksOnChannel(asker, action, channel)) return true
  if (action === "give" || action === "invite") return hasRight(asker.role, "CHANGE_VIDEO_OWNERSHIP")
  return hasRight(asker.role, "MANAGE_ANY_VIDEO_CHANNEL") && moderatorsMay.has(action)
}
