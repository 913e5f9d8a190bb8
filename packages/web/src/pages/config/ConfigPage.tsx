import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choices.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Setting } from "./Setting.tsx"
import { refusalWords } from "../admin/SettingsDraft.ts"
import { bodyOf, groupOf, matches, type Origin, valueAt } from "../admin/Settings.ts"

const t = text("config")
const common = text("common")

const byGroup = (origins: ReadonlyArray<Origin>): ReadonlyArray<readonly [string, ReadonlyArray<Origin>]> => {
  const groups = new Map<string, Array<Origin>>()
  for (const origin of origins) {
    const group = groupOf(origin.setting)
    groups.set(group, [...(groups.get(group) ?? []), origin])
  }
  return [...groups]
}

/** The settings that are changed while the instance runs, by groups. What is typed is kept until it is saved. */
export const Page = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const changedOnly = query.get("changed") === "true"
  const config = useLoad("config", (signal) => call("GET /api/v1/config/custom", { signal }))
  const origins = useLoad("origins", (signal) => call("GET /api/v1/config/custom/origins", { signal }))
  const draft = useDraft<Readonly<Record<string, unknown>>>("config", {})
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const loadFailure = config.failure ?? origins.failure
  const changes = Object.fromEntries(
    Object.entries(draft.value).filter(
      ([path, value]) => JSON.stringify(valueAt(config.data, path)) !== JSON.stringify(value)
    )
  )
  const count = Object.keys(changes).length
  const save = async (): Promise<void> => {
    setBusy(true)
    const answer = await call("PUT /api/v1/config/custom", { body: bodyOf(changes) })
    setBusy(false)
    setFailure(answer.ok ? undefined : answer)
    if (!answer.ok) return
    config.show(answer.body)
    draft.clear()
    toast(t("saved", { count }))
    await origins.again()
  }
  const discard = (): void => {
    draft.clear()
    setFailure(undefined)
  }
  const shown = (origins.data?.data ?? []).filter(
    (it) => matches(it, search) && (!changedOnly || it.origin !== "default" || it.setting in changes)
  )
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <div class="toolbar">
        <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setQuery({ search: value })} />
        <Checkbox
          label={t("changedOnly")}
          checked={changedOnly}
          onChecked={(it) => setQuery({ changed: it ? "true" : undefined })}
        />
      </div>
      {loadFailure !== undefined && (
        <LoadFailure
          reason={failureWords(loadFailure)}
          onRetry={() => void Promise.all([config.again(), origins.again()])}
        />
      )}
      {loadFailure === undefined && (config.data === undefined || origins.data === undefined) && <Skeleton rows={8} />}
      {config.data !== undefined && origins.data !== undefined && (
        <form
          aria-label={t("title")}
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          {shown.length === 0 && <Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />}
          {byGroup(shown).map(([group, settings]) => (
            <section class="card settings" key={group} aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`}>{group}</h2>
              {settings.map((it) => {
                const before = valueAt(config.data, it.setting)
                return (
                  <Setting
                    key={it.setting}
                    origin={it}
                    before={before}
                    now={it.setting in changes ? changes[it.setting] : before}
                    error={failure?.wrong.find(({ name }) => name === it.setting)?.reason}
                    onChange={(value) => draft.set({ [it.setting]: value })}
                  />
                )
              })}
            </section>
          ))}
          {count > 0 && (
            <div class="save-bar">
              <p role="status">{t("changes", { count })}</p>
              {failure !== undefined && (
                <p role="alert" class="f-error">
                  {refusalWords(failure)}
                </p>
              )}
              <Button onClick={discard}>{t("discard")}</Button>
              <Button kind="primary" type="submit" busy={busy}>
                {common("save")}
              </Button>
            </div>
          )}
        </form>
      )}
    </>
  )
}
