import { hasRight } from "@kinora/domain/enums/UserRight"
import { UserRole } from "@kinora/domain/enums/UserRole"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** What can be done to a user. */
export type UserAction =
  /** See the user as moderators do. */
  | "see"
  /** Change address, quotas, flags and password, block and unblock. */
  | "manage"
  | "delete"
  /** List the user's sessions and end them. */
  | "sessions"
  /** Switch the second factor off without being the user. */
  | "disableTwoFactor"

/** As much of a user as decisions need. */
export interface UserFacts {
  readonly id: number
  readonly role: number
  /** The first administrator: nobody else can take the instance from them. */
  readonly isRoot: boolean
}

/**
 * May this user do this to that user? The one rule for everything that manages users. Administrators manage everybody,
 * moderators see everybody and manage users without a role; nobody deletes or blocks the first administrator.
 */
export const mayOnUser = (asker: CurrentUserShape, action: UserAction, target: UserFacts): boolean => {
  const isSelf = asker.id === target.id
  const isAdministrator = asker.role === UserRole.administrator
  const manages = isAdministrator || (hasRight(asker.role, "MANAGE_USERS") && target.role === UserRole.user)
  switch (action) {
    case "see":
      return isSelf || hasRight(asker.role, "MANAGE_USERS")
    case "manage":
      return manages && (!target.isRoot || isSelf)
    case "delete":
      return manages && !target.isRoot
    case "sessions":
      return isSelf || isAdministrator
    case "disableTwoFactor":
      return isAdministrator && (!target.isRoot || isSelf)
  }
}

/** Roles this user may give: administrators all, moderators that of a plain user (specification, "Authentication" 11). */
export const mayGiveRole = (asker: CurrentUserShape, role: number): boolean =>
  asker.role === UserRole.administrator || (hasRight(asker.role, "MANAGE_USERS") && role === UserRole.user)
