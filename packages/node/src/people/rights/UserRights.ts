import { hasRight } from "@kinora/domain/enums/UserRight"
import { UserRole } from "@kinora/domain/enums/UserRole"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"

/** What can be done to a user. */
export type UserAction =
  /** See the user as moderators see them. */
  | "see"
  /** Change email address, quotas, flags and password, or unblock. */
  | "manage"
  | "changeRole"
  | "block"
  /** By somebody else. Users who delete themselves are not checked here. */
  | "delete"
  /** Read and write what moderators note about the user. */
  | "notes"
  /** List the user's sessions and end them. */
  | "sessions"
  | "enableTwoFactor"
  | "disableTwoFactor"
  /** Request, open and remove archives of the user's data. */
  | "exports"
  /** Import an archive into the account. */
  | "imports"

/** The parts of a user that decisions need. */
export interface UserFacts {
  readonly id: number
  readonly role: number
  /** The first administrator, see {@link isRoot}: nobody can take the instance away from them. */
  readonly isRoot: boolean
}

/** The acting user, with the parts that decisions need. */
export type Asker = Pick<CurrentUserShape, "id" | "role">

/**
 * Whether this is the administrator made on the first start. It needs both the name and the role, and only the operator
 * can change those.
 */
export const isRoot = (user: { readonly username: string; readonly role: number }): boolean =>
  user.username === "root" && user.role === UserRole.administrator

/**
 * May this user do this to that user? The one rule for managing users. Administrators manage everybody. Moderators see
 * everybody and manage users without a role. Nobody else manages the first administrator, whose role is fixed. Nobody
 * blocks or deletes themselves.
 */
export const mayOnUser = (asker: Asker, action: UserAction, target: UserFacts): boolean => {
  const isSelf = asker.id === target.id
  const isAdministrator = asker.role === UserRole.administrator
  const manages = isAdministrator || (hasRight(asker.role, "MANAGE_USERS") && target.role === UserRole.user)
  switch (action) {
    case "see":
      return isSelf || hasRight(asker.role, "MANAGE_USERS")
    case "manage":
      return manages && (!target.isRoot || isSelf)
    case "notes":
      return manages
    case "changeRole":
      return isAdministrator && !target.isRoot
    case "block":
    case "delete":
      return manages && !target.isRoot && !isSelf
    case "sessions":
      return isSelf || isAdministrator
    case "enableTwoFactor":
    case "disableTwoFactor":
      return isSelf || (isAdministrator && !target.isRoot)
    case "exports":
      return isSelf || (hasRight(asker.role, "MANAGE_USER_EXPORTS") && !target.isRoot)
    case "imports":
      return isSelf || (hasRight(asker.role, "MANAGE_USER_IMPORTS") && !target.isRoot)
  }
}

/**
 * Roles this user may give: administrators all, moderators only that of a plain user (specification, "Authentication"
 * 11).
 */
export const mayGiveRole = (asker: Asker, role: number): boolean =>
  asker.role === UserRole.administrator || (hasRight(asker.role, "MANAGE_USERS") && role === UserRole.user)
