import { text } from "../../i18n/Text.ts"
import { Field } from "../../ui/Field.tsx"
import type { Settings } from "../admin/SettingsDraft.ts"
import { pinnedWords, SettingsForm, type SettingsPart } from "./SettingsForm.tsx"

const t = text("appearance")

/** A text for machines: nothing is spelled or wrapped in it. */
const CodeField = ({
  help,
  label,
  setting,
  settings
}: {
  readonly label: string
  readonly help: string
  readonly setting: string
  readonly settings: Settings
}) => {
  const pinned = pinnedWords(settings, setting)
  return (
    <Field label={label} help={pinned ?? help} error={settings.error(setting)}>
      {(control) => (
        <textarea
          {...control}
          class="in in-area in-code"
          rows={10}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          disabled={pinned !== undefined}
          value={String(settings.value(setting) ?? "")}
          onInput={({ currentTarget }) => settings.set({ [setting]: currentTarget.value })}
        />
      )}
    </Field>
  )
}

/** The stylesheet and the script of the operator. */
export const Code = (part: SettingsPart) => (
  <SettingsForm {...part} draftKey="appearance.code" title={t("code")}>
    {(settings) => (
      <>
        <CodeField label={t("css")} help={t("cssHelp")} setting="instance.customizations.css" settings={settings} />
        <CodeField
          label={t("javascript")}
          help={t("javascriptHelp")}
          setting="instance.customizations.javascript"
          settings={settings}
        />
        <p class="lead">{t("codeText")}</p>
      </>
    )}
  </SettingsForm>
)
