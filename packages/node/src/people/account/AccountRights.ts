import { hasRight, type UserRight } from "@kinora/domain/enums/UserRight"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** Parts of an account that not everybody may see. */
export type AccountAction =
  /** Followers of the account and its channels. */
  | "followers"
  /** Channels of other users it collaborates on. */
  | "collaborations"
  /** View statistics of its channels. */
  | "figures"
  /** Its ratings. */
  | "ratings"
  /** Synchronisations of its channels with channels on other sites. */
  | "synchronisations"
  /** Words it watches for, and what becomes of comments that have one. */
  | "watchedWords"

/** The right that opens what belongs to accounts of others; what has none is for the account's user alone. */
const rightOf: Readonly<Partial<Record<AccountAction, UserRight>>> = {
  followers: "MANAGE_USERS",
  collaborations: "MANAGE_USERS",
  synchronisations: "MANAGE_VIDEO_IMPORTS"
}

/**
 * May this user see that part of this account? The one rule for an account's private parts: its own user may see all,
 * moderators may see followers and collaborations, administrators also the synchronisations, which they manage, and
 * nobody else may see any (specification, rows 20, 23, 24 and 25).
 */
export const mayOnAccount = (asker: CurrentUserShape, action: AccountAction, accountId: number): boolean => {
  const right = rightOf[action]
  return asker.accountId === accountId || (right !== undefined && hasRight(asker.role, right))
}
