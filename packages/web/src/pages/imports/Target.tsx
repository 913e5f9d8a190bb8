import { type VideoPrivacy, videoPrivacies } from "@kinora/domain/enums/VideoPrivacy"
import { text } from "../../i18n/Text.ts"
import { SelectField } from "../../ui/Choices.tsx"
import { channelOptions, privacyOptions } from "../../video-form/Choices.ts"

const t = text("imports")
const form = text("form")

/** Where a video goes, and who may see it. */
export interface TargetFields {
  /** 0: the first channel of the user. */
  readonly channelId: number
  readonly privacy: VideoPrivacy
}

/** Without a password, which a video gets on its own page. */
const privacies = videoPrivacies.filter((id) => id !== 5)

/** The chosen channel, as long as the user may publish in it. */
export const channelOf = ({ channelId }: Pick<TargetFields, "channelId">): number => {
  const options = channelOptions()
  return options.some((it) => it.value === String(channelId)) ? channelId : Number(options[0]?.value ?? 0)
}

/** The channel and the privacy of what is fetched. */
export const Target = ({
  fields,
  onChange,
  withPrivacy = true
}: {
  readonly fields: TargetFields
  readonly withPrivacy?: boolean
  readonly onChange: (changes: Partial<TargetFields>) => void
}) => (
  <div class="two">
    <SelectField
      label={t("into")}
      value={String(channelOf(fields))}
      options={channelOptions()}
      onValue={(id) => onChange({ channelId: Number(id) })}
    />
    {withPrivacy && (
      <SelectField
        label={form("privacy")}
        help={form("privacyHelp", { id: fields.privacy })}
        value={String(fields.privacy)}
        options={privacyOptions(privacies)}
        onValue={(value) => onChange({ privacy: privacies.find((id) => String(id) === value) ?? fields.privacy })}
      />
    )}
  </div>
)
