import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { type Live, type LiveFields, liveFieldsOf, liveSettings, scheduleIsWrong } from "./LiveFields.ts"
import { LiveSettings } from "./LiveSettings.tsx"
import { refusalWords } from "./LiveWords.ts"

const t = text("lives")

/** The settings of a live that is not on. What is typed is kept until it is saved. */
export const ChangeSettings = ({
  id,
  live,
  onSaved
}: {
  readonly id: number
  readonly live: Live
  readonly onSaved: () => Promise<void>
}) => {
  const config = useLoad("config", (signal) => call("GET /api/v1/config", { signal }))
  const initial = liveFieldsOf(live, Date.now())
  const draft = useDraft<LiveFields>(`live.${id}`, initial)
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const fields = draft.value
  const isLate = scheduleIsWrong(fields, Date.now())
  const isChanged = JSON.stringify(fields) !== JSON.stringify(initial)
  const save = async (): Promise<void> => {
    setTried(true)
    if (isLate) return
    setBusy(true)
    const answer = await call("PUT /api/v1/videos/live/:id", { params: { id }, body: liveSettings(fields) })
    if (answer.ok) {
      toast(t("saved"))
      await onSaved()
      draft.clear(fields)
    } else setRefusal(answer)
    setBusy(false)
  }
  if (config.data === undefined) return null
  return (
    <form
      class="card stack"
      aria-labelledby="live-settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <h2 id="live-settings">{t("settings")}</h2>
      <LiveSettings
        config={config.data.live}
        fields={fields}
        onChange={(changes) => {
          setRefusal(undefined)
          draft.set(changes)
        }}
        scheduleError={tried && isLate}
      />
      <footer class="form-foot">
        <p role="alert">{refusal === undefined ? "" : refusalWords(refusal)}</p>
        <Button type="submit" kind={isChanged ? "primary" : "plain"} busy={busy}>
          {t("save")}
        </Button>
      </footer>
    </form>
  )
}
