import type { MyUserRow } from "@kinora/storage/people/user/MyUserReads"
import type { Configuration } from "../../platform/config/Configuration.ts"
import { defaultNotifications, preferences } from "../../people/user/UserPreferences.ts"

/**
 * The settings of a user as JSON text (contract: UserSettingsExportJSON), with defaults for what the user did not
 * choose.
 */
export const exportedSettings = (user: MyUserRow, config: Configuration): string => {
  const { newFeaturesInfoRead: _, ...chosen } = { ...preferences(config), ...user.preferences }
  return JSON.stringify({
    email: user.email,
    ...chosen,
    createdAt: user.createdAt,
    notificationSettings: { ...defaultNotifications, ...user.notificationSettings }
  })
}
