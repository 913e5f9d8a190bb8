import { MyPreferences, NotificationSettings } from "@kinora/domain/requests/UpdateMe"
import { MyUserRows } from "@kinora/storage/people/user/MyUserRows"
import { Effect, Option, Schema } from "effect"
import { MyUser } from "../../../people/me/MyUser.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf } from "../context/ImportedFields.ts"

const decodePreferences = Schema.decodeUnknownOption(MyPreferences)
const decodeNotifications = Schema.decodeUnknownOption(NotificationSettings)

/** Each by itself: what is not known here does not take the others along. */
const understood = <A extends object>(thing: unknown, decode: (input: unknown) => Option.Option<A>): Partial<A> =>
  Object.assign(
    {},
    ...Object.entries(fieldsOf(thing)).map(([name, value]) => Option.getOrElse(decode({ [name]: value }), () => ({})))
  ) as Partial<A>

/** Preferences and what the user is told of. The mail address stays: who holds an archive does not take an account over. */
export const importUserSettings = Effect.gen(function* () {
  const me = yield* MyUser
  const rows = yield* MyUserRows
  return {
    section: "userSettings",
    files: ["user-settings"],
    bring: Effect.fnUntraced(function* ({ user }, thing) {
      yield* me.update(user, understood(thing, decodePreferences))
      yield* rows.setNotifications(user.id, understood(fieldsOf(thing)["notificationSettings"], decodeNotifications))
      return "success" as const
    })
  } satisfies SectionImport
})
