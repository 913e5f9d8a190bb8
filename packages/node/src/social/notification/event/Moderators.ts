import { UserRole } from "@kinora/domain/enums/UserRole"
import type { Recipients } from "@kinora/storage/social/notification/Recipients"

const roles = [UserRole.administrator, UserRole.moderator]

/** Whoever may moderate. */
export const moderators: Recipients = { _tag: "Roles", roles }

/** Whoever may moderate, but for these users; null is nobody. */
export const moderatorsBut = (...userIds: ReadonlyArray<number | null>): Recipients => ({
  _tag: "Roles",
  roles,
  except: userIds.filter((id) => id !== null)
})

/** Whoever may decide with whom the instance federates. */
export const administrators: Recipients = { _tag: "Roles", roles: [UserRole.administrator] }
