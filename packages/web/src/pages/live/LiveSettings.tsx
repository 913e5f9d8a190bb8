import { liveLatencyModes } from "@kinora/domain/enums/Live"
import { videoPrivacies, VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { text } from "../../i18n/Text.ts"
import { SelectField, Switch } from "../../ui/Choices.tsx"
import { TextField } from "../../ui/Field.tsx"
import { privacyOptions } from "../../video-form/Choices.ts"
import { type LiveConfig, type LiveFields, windows } from "./LiveFields.ts"

const t = text("lives")

const replayPrivacies = videoPrivacies.filter((it) => it !== VideoPrivacy.passwordProtected)

const windowLabel = (seconds: number): string => {
  if (seconds === 0) return t("windowNone")
  return seconds % 3_600 === 0
    ? t("windowHours", { count: seconds / 3_600 })
    : t("windowMinutes", { count: Math.max(1, Math.round(seconds / 60)) })
}

/** What only lives have: how often, how fast, how far back, and what is left of it. */
export const LiveSettings = ({
  config,
  fields,
  onChange,
  scheduleError
}: {
  readonly config: LiveConfig
  readonly fields: LiveFields
  readonly onChange: (changes: Partial<LiveFields>) => void
  readonly scheduleError: boolean
}) => (
  <div class="stack">
    <TextField
      label={t("schedule")}
      help={t("scheduleHelp")}
      type="datetime-local"
      value={fields.schedule}
      onValue={(schedule) => onChange({ schedule })}
      error={scheduleError ? t("scheduleWrong") : undefined}
      optional
    />
    <Switch
      label={t("permanent")}
      help={t("permanentHelp")}
      checked={fields.permanentLive}
      onChecked={(permanentLive) => onChange({ permanentLive })}
    />
    {config.allowReplay && (
      <Switch
        label={t("replay")}
        help={fields.permanentLive ? t("replayEach") : t("replayHelp")}
        checked={fields.saveReplay}
        onChecked={(saveReplay) => onChange({ saveReplay })}
      />
    )}
    {config.allowReplay && fields.saveReplay && (
      <SelectField
        label={t("replayPrivacy")}
        value={String(fields.replayPrivacy)}
        options={privacyOptions(replayPrivacies)}
        onValue={(value) =>
          onChange({ replayPrivacy: videoPrivacies.find((id) => String(id) === value) ?? VideoPrivacy.private })
        }
      />
    )}
    <div class="two">
      {config.latencySetting.enabled && (
        <SelectField
          label={t("latency")}
          help={t("latencyHelp", { mode: fields.latencyMode })}
          value={String(fields.latencyMode)}
          options={liveLatencyModes.map((mode) => ({ value: String(mode), label: t("latencyName", { mode }) }))}
          onValue={(value) => onChange({ latencyMode: liveLatencyModes.find((it) => String(it) === value) ?? 1 })}
        />
      )}
      {config.dvr.maxWindow > 0 && (
        <SelectField
          label={t("window")}
          help={t("windowHelp")}
          value={String(fields.dvrWindow)}
          options={windows(config.dvr.maxWindow, fields.dvrWindow).map((it) => ({
            value: String(it),
            label: windowLabel(it)
          }))}
          onValue={(value) => onChange({ dvrWindow: Number(value) })}
        />
      )}
    </div>
  </div>
)
