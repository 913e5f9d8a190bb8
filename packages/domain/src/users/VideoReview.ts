import { hasRight } from "../enums/UserRight.ts"
import type { UserRole } from "../enums/UserRole.ts"

/** Bit of `adminFlags` (contract: UserAdminFlag): videos of the user are not held for review. */
const bypassReview = 1

/** Whether a new video of this user waits for a moderator, on an instance that reviews new videos. */
export const isHeldForReview = (user: { readonly role: UserRole; readonly adminFlags: number }): boolean =>
  (user.adminFlags & bypassReview) === 0 && !hasRight(user.role, "MANAGE_VIDEO_BLACKLIST")
