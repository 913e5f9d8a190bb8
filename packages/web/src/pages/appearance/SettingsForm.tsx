import type { ComponentChildren } from "preact"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { toast } from "../../ui/Toasts.tsx"
import type { Origin } from "../admin/Settings.ts"
import { type Config, refusalWords, type Settings, useSettingsDraft } from "../admin/SettingsDraft.ts"

const t = text("appearance")
const common = text("common")

/** What a part of the page needs to change settings. */
export interface SettingsPart {
  readonly config: Config
  readonly origins: ReadonlyArray<Origin>
  readonly onSaved: (config: Config) => void
}

/** What a field says about the variable that pins its setting, or nothing. */
export const pinnedWords = (settings: Settings, setting: string): string | undefined => {
  const name = settings.pinnedBy(setting)
  return name === undefined ? undefined : t("pinned", { name })
}

/** Settings that are saved together. */
export const SettingsForm = ({
  children,
  config,
  draftKey,
  onSaved,
  origins,
  title
}: SettingsPart & {
  readonly title: string
  readonly draftKey: string
  readonly children: (settings: Settings) => ComponentChildren
}) => {
  const { busy, discard, failure, isChanged, save, settings } = useSettingsDraft(draftKey, config, origins, onSaved)
  return (
    <form
      class="card stack"
      aria-labelledby={draftKey}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (busy) return
        void save().then((saved) => {
          if (saved) toast(t("saved"))
        })
      }}
    >
      <h2 id={draftKey}>{title}</h2>
      {children(settings)}
      <footer class="form-foot">
        <p role="alert">{failure === undefined ? "" : refusalWords(failure)}</p>
        {isChanged && !busy && <span class="form-note">{t("unsaved")}</span>}
        {isChanged && !busy && <Button onClick={discard}>{t("discard")}</Button>}
        <Button type="submit" kind="primary" busy={busy}>
          {common("save")}
        </Button>
      </footer>
    </form>
  )
}
