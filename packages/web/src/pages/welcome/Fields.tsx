import { text } from "../../i18n/Text.ts"
import { Checkbox, SelectField, Switch } from "../../ui/Choices.tsx"
import { TextArea, TextField } from "../../ui/Field.tsx"
import type { Settings } from "../admin/SettingsDraft.ts"
import { type Asked, asked, modeOf, modes, resolutions, settingsOf, type Step } from "./Steps.ts"

const t = text("welcome")

const OneField = ({ field, settings }: { readonly field: Asked; readonly settings: Settings }) => {
  const { key, kind, setting } = field
  const pinned = settings.pinnedBy(setting) !== undefined
  const words = [field.help === undefined ? "" : t(field.help), pinned ? t("pinned") : ""].filter(Boolean).join(" ")
  const help = words === "" ? {} : { help: words }
  const value = settings.value(setting)
  if (kind === "switch") {
    return (
      <Switch
        label={t(key)}
        {...help}
        checked={value === true}
        disabled={pinned}
        onChecked={(it) => settings.set({ [setting]: it })}
      />
    )
  }
  const common = {
    label: t(key),
    ...help,
    value: String(value ?? ""),
    disabled: pinned,
    error: settings.error(setting)
  }
  if (kind === "lines") return <TextArea {...common} rows={3} onValue={(it) => settings.set({ [setting]: it })} />
  return (
    <TextField
      {...common}
      type={kind === "number" ? "number" : "text"}
      onValue={(it) => settings.set({ [setting]: kind === "number" && it.trim() !== "" ? Number(it) : it })}
    />
  )
}

const Registration = ({ settings }: { readonly settings: Settings }) => (
  <SelectField
    label={t("mode")}
    options={modes.map((mode) => ({ value: mode, label: t("modeName", { mode }) }))}
    value={modeOf(settings.value("signup.enabled") === true, settings.value("signup.requiresApproval") === true)}
    disabled={(settings.pinnedBy("signup.enabled") ?? settings.pinnedBy("signup.requiresApproval")) !== undefined}
    error={settings.error("signup.enabled") ?? settings.error("signup.requiresApproval")}
    onValue={(it) => settings.set(settingsOf(modes.find((mode) => mode === it) ?? "closed"))}
  />
)

const Resolutions = ({ settings }: { readonly settings: Settings }) => (
  <fieldset class="welcome-choices" disabled={settings.value("transcoding.enabled") !== true}>
    <legend>{t("resolutions")}</legend>
    {resolutions.map((name) => {
      const setting = `transcoding.resolutions.${name}`
      return (
        <Checkbox
          key={name}
          label={name === "0p" ? t("soundOnly") : name}
          checked={settings.value(setting) === true}
          disabled={settings.pinnedBy(setting) !== undefined}
          onChecked={(it) => settings.set({ [setting]: it })}
        />
      )
    })}
  </fieldset>
)

/** The fields of a step. */
export const Fields = ({ settings, step }: { readonly step: Step; readonly settings: Settings }) => (
  <>
    {step === "registration" && <Registration settings={settings} />}
    {asked[step].map((it) => (
      <OneField key={it.setting} field={it} settings={settings} />
    ))}
    {step === "transcoding" && <Resolutions settings={settings} />}
  </>
)
