import { userRole, type UserRole } from "@kinora/domain/enums/UserRole"
import type { MyUser } from "@kinora/domain/wire/MyUser"
import type { MyUserRow } from "@kinora/storage/people/user/MyUserReads"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { defaultNotifications, preferences } from "../user/UserPreferences.ts"

/** A user as they see themselves (contract: MyUser). */
export const myUserWire = (row: MyUserRow, config: Configuration): MyUser => {
  const { notificationSettings, preferences: chosen, role, ...rest } = row
  return {
    ...preferences(config),
    ...chosen,
    ...rest,
    role: userRole(role as UserRole),
    notificationSettings: { ...defaultNotifications, ...notificationSettings }
  }
}
