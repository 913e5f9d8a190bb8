import { playerThemes } from "@kinora/domain/enums/PlayerTheme"
import { text } from "../../i18n/Text.ts"
import { SelectField, Switch } from "../../ui/Choices.tsx"
import { Field, TextField } from "../../ui/Field.tsx"
import type { Settings } from "../admin/SettingsDraft.ts"
import { hexOf, rgbOf } from "./Colours.ts"
import { Preview } from "./Preview.tsx"
import { type ColourName, colours, corners, shownColour } from "./Schemes.ts"
import { pinnedWords, SettingsForm, type SettingsPart } from "./SettingsForm.tsx"

const t = text("appearance")

const pathOf = (name: string): string => `theme.customization.${name}`
const hideName = "client.header.hideInstanceName"
const player = "defaults.player.theme"

/** The value as typed; undefined where none is set. */
const valueOf = (settings: Settings, name: string): string | undefined => {
  const value = settings.value(pathOf(name))
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

const put = (settings: Settings, name: string, typed: string): void =>
  settings.set({ [pathOf(name)]: typed.trim() === "" ? null : typed })

/** A colour, chosen or typed as CSS has it; empty for the program's own. */
const ColourField = ({ name, settings }: { readonly name: ColourName; readonly settings: Settings }) => {
  const pinned = pinnedWords(settings, pathOf(name))
  const set = (it: ColourName) => valueOf(settings, it)
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
  const shown = rgbOf(shownColour(name, set, scheme)) ?? [0, 0, 0]
  return (
    <Field label={t(name)} help={pinned} error={settings.error(pathOf(name))}>
      {(control) => (
        <div class="colour">
          <input
            type="color"
            aria-label={t("choose", { name: t(name) })}
            value={hexOf(shown)}
            disabled={pinned !== undefined}
            onInput={({ currentTarget }) => put(settings, name, currentTarget.value)}
          />
          <input
            {...control}
            class="in"
            value={String(settings.value(pathOf(name)) ?? "")}
            placeholder={t("ofProgram")}
            disabled={pinned !== undefined}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => put(settings, name, currentTarget.value)}
          />
        </div>
      )}
    </Field>
  )
}

const Fields = ({ settings }: { readonly settings: Settings }) => {
  const pinnedPlayer = pinnedWords(settings, player)
  const pinnedName = pinnedWords(settings, hideName)
  return (
    <>
      <p class="lead">{t("themeText")}</p>
      <div class="two">
        {colours.map(([name]) => (
          <ColourField key={name} name={name} settings={settings} />
        ))}
        {corners.map(([name]) => (
          <TextField
            key={name}
            label={t(name)}
            help={pinnedWords(settings, pathOf(name)) ?? t("lengthHelp")}
            value={String(settings.value(pathOf(name)) ?? "")}
            error={settings.error(pathOf(name))}
            disabled={settings.pinnedBy(pathOf(name)) !== undefined}
            onValue={(typed) => put(settings, name, typed)}
          />
        ))}
      </div>
      <h3>{t("preview")}</h3>
      <Preview set={(name) => valueOf(settings, name)} length={(name) => valueOf(settings, name)} />
      <SelectField
        label={t("player")}
        help={pinnedPlayer ?? t("playerHelp")}
        options={playerThemes.map((value) => ({ value, label: t("playerName", { theme: value }) }))}
        value={String(settings.value(player))}
        error={settings.error(player)}
        disabled={pinnedPlayer !== undefined}
        onValue={(value) => settings.set({ [player]: value })}
      />
      <Switch
        label={t("hideName")}
        help={pinnedName ?? t("hideNameHelp")}
        checked={settings.value(hideName) === true}
        disabled={pinnedName !== undefined}
        onChecked={(it) => settings.set({ [hideName]: it })}
      />
    </>
  )
}

/** Colours and corners of all pages, and how the player looks. */
export const Theme = (part: SettingsPart) => (
  <SettingsForm {...part} draftKey="appearance.theme" title={t("theme")}>
    {(settings) => <Fields settings={settings} />}
  </SettingsForm>
)
