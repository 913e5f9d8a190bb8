import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { failureWords } from "../../ui/Words.ts"
import { bodyOf, type Origin, valueAt } from "./Settings.ts"

export type Config = Output<"GET /api/v1/config/custom">

/** The settings as they are with what was typed, and what is wrong with it. */
export interface Settings {
  readonly value: (setting: string) => unknown
  readonly error: (setting: string) => string | undefined
  /** The variable of the environment that has set it: then it cannot be changed here. */
  readonly pinnedBy: (setting: string) => string | undefined
  readonly set: (changes: Readonly<Record<string, unknown>>) => void
}

/** Why settings were not saved: what is wrong with each, else the failure. */
export const refusalWords = (failure: Failure): string =>
  failure.wrong.length > 0 ? failure.wrong.map((it) => `${it.name}: ${it.reason}`).join(" · ") : failureWords(failure)

/** Settings that are typed into a form and saved together. What is typed is kept until then, over reloads as well. */
export const useSettingsDraft = (
  key: string,
  config: Config,
  origins: ReadonlyArray<Origin>,
  onSaved: (config: Config) => void
) => {
  const draft = useDraft<Readonly<Record<string, unknown>>>(key, {})
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const changes = Object.fromEntries(
    Object.entries(draft.value).filter(([path, value]) => value !== valueAt(config, path))
  )
  const isChanged = Object.keys(changes).length > 0
  const settings: Settings = {
    value: (setting) => (setting in draft.value ? draft.value[setting] : valueAt(config, setting)),
    error: (setting) => failure?.wrong.find((it) => it.name === setting)?.reason,
    pinnedBy: (setting) => origins.find((it) => it.setting === setting && it.pinned)?.environmentVariable,
    set: draft.set
  }
  const discard = (): void => {
    draft.clear()
    setFailure(undefined)
  }
  /** Whether they are saved. */
  const save = async (): Promise<boolean> => {
    if (isChanged) {
      setBusy(true)
      const answer = await call("PUT /api/v1/config/custom", { body: bodyOf(changes) })
      setBusy(false)
      setFailure(answer.ok ? undefined : answer)
      if (!answer.ok) return false
      onSaved(answer.body)
    }
    draft.clear()
    return true
  }
  return { busy, discard, failure, isChanged, save, settings }
}
