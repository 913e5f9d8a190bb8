import { UserRole } from "@kinora/domain/enums/UserRole"
import type { Recipients } from "@kinora/storage/social/notification/Recipients"

/** Whoever may moderate. */
export const moderators: Recipients = { _tag: "Roles", roles: [UserRole.administrator, UserRole.moderator] }

/** Whoever may decide with whom the instance federates. */
export const administrators: Recipients = { _tag: "Roles", roles: [UserRole.administrator] }
