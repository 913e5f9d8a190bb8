import { Schema } from "effect"
import { constraints } from "../enums/Constraints.ts"
import {
  allNotificationWays,
  type NotificationSettingKey,
  notificationSettingKeys
} from "../enums/NotificationSetting.ts"
import { nsfwPolicies } from "../enums/NsfwFlag.ts"
import { isVideoLanguage } from "../enums/VideoLanguage.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { integer, nullable, oneOf, text } from "../fields/Readers.ts"
import { consents, userFields } from "./UserFields.ts"

/** Videos without a language are chosen by this name. */
const noLanguage = "_unknown"
const { languages } = constraints.user

const videoLanguages: Reader<ReadonlyArray<string>> = {
  message: `Must be at most ${languages.max} codes of languages`,
  documented: { type: "array", items: { type: "string" }, maxItems: languages.max },
  parse: (input) => {
    const codes: ReadonlyArray<unknown> = Array.isArray(input) ? input : [input]
    if (codes.length > languages.max) return undefined
    const known = codes.filter((code) => typeof code === "string" && (isVideoLanguage(code) || code === noLanguage))
    return known.length === codes.length ? [...new Set(known as ReadonlyArray<string>)] : undefined
  }
}

/** Of the web page, as a tag of BCP 47: which translations there are is its own affair. */
const language = text({
  min: 2,
  max: 35,
  pattern: /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,4}$/,
  message: "Must be the tag of a language, such as en or pt-BR"
})

const { flag, nsfwFlags } = userFields

/** Preferences under their wire names, as they are kept. */
const preferences = {
  nsfwPolicy: optional(oneOf(nsfwPolicies, `Must be one of ${nsfwPolicies.join(", ")}`)),
  nsfwFlagsDisplayed: optional(nsfwFlags),
  nsfwFlagsHidden: optional(nsfwFlags),
  nsfwFlagsWarned: optional(nsfwFlags),
  nsfwFlagsBlurred: optional(nsfwFlags),
  p2pEnabled: optional(flag),
  autoPlayVideo: optional(flag),
  autoPlayNextVideo: optional(flag),
  autoPlayNextVideoPlaylist: optional(flag),
  videosHistoryEnabled: optional(flag),
  videoLanguages: optional(nullable(videoLanguages)),
  language: optional(language),
  theme: optional(oneOf(["default", "instance-default"], "Must be default or instance-default")),
  noInstanceConfigWarningModal: optional(flag),
  noAccountSetupWarningModal: optional(flag),
  noWelcomeModal: optional(flag),
  emailPublic: optional(flag)
}

export const MyPreferences = Schema.Struct(preferences)
export type MyPreferences = typeof MyPreferences.Type

/** Body of `PUT /users/me` (contract: UpdateMe). A password and an address are changed with `currentPassword` only. */
export const UpdateMe = Schema.Struct({
  ...preferences,
  password: optional(userFields.password),
  currentPassword: optional(userFields.givenPassword),
  email: optional(userFields.email),
  displayName: optional(userFields.displayName),
  description: optional(userFields.description),
  ...consents
})
export type UpdateMe = typeof UpdateMe.Type

/** Fields that say what is done with flagged videos; a flag is in one of them at most. */
export const nsfwFlagFields = ["nsfwFlagsDisplayed", "nsfwFlagsHidden", "nsfwFlagsWarned", "nsfwFlagsBlurred"] as const

const way = integer({
  min: 0,
  max: allNotificationWays,
  message: "Must be 0, 1 (on the web), 2 (by mail) or 3 (both)"
})
const ways = Object.fromEntries(notificationSettingKeys.map((key) => [key, optional(way)])) as unknown as Readonly<
  Record<NotificationSettingKey, ReturnType<typeof optional<number>>>
>

/** Body of `PUT /users/me/notification-settings` (contract: UserNotificationSettings). What is missing stays; something is there. */
export const NotificationSettings = Schema.Struct(ways)
export type NotificationSettings = typeof NotificationSettings.Type

/** Body of `POST /users/me/new-feature-info/read`: 1, the only announced feature, is collaboration on channels. */
export const NewFeatureRead = Schema.Struct({
  feature: field(integer({ min: 1, max: 1, message: "Must be 1", documented: { enum: [1] } }))
})
