import { videoCategories } from "@kinora/domain/enums/VideoCategory"
import { videoLicences } from "@kinora/domain/enums/VideoLicence"
import { videoPrivacies, type VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { call } from "../api/Call.ts"
import { currentLanguage, text } from "../i18n/Text.ts"
import { me } from "../session/Me.ts"
import type { Option } from "../ui/Choices.tsx"

const t = text("form")

const none = (): Option => ({ value: "", label: t("none") })

/** Channels the user may publish in, their own first. */
export const channelOptions = (): ReadonlyArray<Option> =>
  [...(me.value?.videoChannels ?? []), ...(me.value?.videoChannelCollaborations ?? [])].map((it) => ({
    value: String(it.id),
    label: it.displayName
  }))

/** Channels that are the user's own. */
export const ownChannelOptions = (): ReadonlyArray<Option> =>
  (me.value?.videoChannels ?? []).map((it) => ({ value: String(it.id), label: it.displayName }))

/** Choices of the form, in the language of the page. */
export const privacyOptions = (ids: ReadonlyArray<VideoPrivacy> = videoPrivacies): ReadonlyArray<Option> =>
  ids.map((id) => ({ value: String(id), label: t("privacyName", { id }) }))

export const categoryOptions = (): ReadonlyArray<Option> => [
  none(),
  ...videoCategories
    .map((id) => ({ value: String(id), label: t("categoryName", { id }) }))
    .sort((a, b) => a.label.localeCompare(b.label, currentLanguage()))
]

export const licenceOptions = (): ReadonlyArray<Option> => [
  none(),
  ...videoLicences.map((id) => ({ value: String(id), label: t("licenceName", { id }) }))
]

/** Languages the server knows, of videos or of their captions, named by the browser where it can. */
export const languageOptions = async (scope?: "subtitle"): Promise<ReadonlyArray<Option>> => {
  const answer = await call("GET /api/v1/videos/languages", { query: { scope } })
  if (!answer.ok) return [none()]
  const names = new Intl.DisplayNames(currentLanguage(), { type: "language", fallback: "none" })
  const nameOf = (code: string, given: string): string => {
    try {
      return names.of(code) ?? given
    } catch {
      return given
    }
  }
  const named = Object.entries(answer.body).map(([value, given]) => ({ value, label: nameOf(value, given) }))
  return [none(), ...named.sort((a, b) => a.label.localeCompare(b.label, currentLanguage()))]
}
