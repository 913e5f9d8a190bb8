import { MyPreferences, NotificationSettings } from "@kinora/domain/requests/UpdateMe"
import { MyUserRows } from "@kinora/storage/people/user/MyUserRows"
import { Effect, Option, Schema } from "effect"
import { MyUser } from "../../../people/me/MyUser.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf } from "../context/ImportedFields.ts"

const decodePreferences = Schema.decodeUnknownOption(MyPreferences)
const decodeNotifications = Schema.decodeUnknownOption(NotificationSettings)

/** Each setting is decoded by itself, so that an unknown one does not invalidate the others. */
const understood = <A extends object>(entry: unknown, decode: (input: unknown) => Option.Option<A>): Partial<A> =>
  Object.assign(
    {},
    ...Object.entries(fieldsOf(entry)).map(([name, value]) => Option.getOrElse(decode({ [name]: value }), () => ({})))
  ) as Partial<A>

/**
 * Preferences and notification settings. The email address stays: an archive must not let its holder take over an
 * account.
 */
export const importUserSettings = Effect.gen(function* () {
  const me = yield* MyUser
  const rows = yield* MyUserRows
  return {
    section: "userSettings",
    files: ["user-settings"],
    importEntry: Effect.fnUntraced(function* ({ user }, entry) {
      yield* me.update(user, understood(entry, decodePreferences))
      yield* rows.setNotifications(user.id, understood(fieldsOf(entry)["notificationSettings"], decodeNotifications))
      return "success" as const
    })
  } satisfies SectionImport
})
