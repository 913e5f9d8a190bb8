import { userRole, type UserRole } from "@kinora/domain/enums/UserRole"
import type { User } from "@kinora/domain/wire/User"
import type { UserRow } from "@kinora/storage/people/user/UserReads"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { defaultNotifications, preferences } from "./UserPreferences.ts"

/** A user as administrators and moderators see it (contract: User; with counts UserWithStats). */
export const userWire = (row: UserRow, config: Configuration, withStats: boolean): User => {
  const { notificationSettings, preferences: chosen, role, ...given } = row
  const { abusesAcceptedCount, abusesCount, abusesCreatedCount, videoCommentsCount, videosCount, ...rest } = given
  return {
    ...preferences(config),
    ...chosen,
    ...rest,
    role: userRole(role as UserRole),
    totalVideoFileSize: row.videoQuotaUsed,
    notificationSettings: { ...defaultNotifications, ...notificationSettings },
    ...(withStats ? { videosCount, abusesCount, abusesAcceptedCount, abusesCreatedCount, videoCommentsCount } : {})
  }
}
