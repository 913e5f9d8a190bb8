import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button } from "../../ui/Button.tsx"
import { failureWords } from "../../ui/Words.ts"
import { bodyOf, type Origin, valueAt } from "../admin/Settings.ts"
import { Fields, type Settings } from "./Fields.tsx"
import type { Step } from "./Steps.ts"
import { TestMail } from "./TestMail.tsx"

const t = text("welcome")

type Config = Output<"GET /api/v1/config/custom">

/** A step: its fields, saved together. What is typed is kept until then. */
export const StepForm = ({
  config,
  onNext,
  onSaved,
  origins,
  step
}: {
  readonly step: Step
  readonly config: Config
  readonly origins: ReadonlyArray<Origin>
  readonly onSaved: (config: Config) => void
  readonly onNext: () => void
}) => {
  const draft = useDraft<Readonly<Record<string, unknown>>>(`welcome.${step}`, {})
  const [failure, setFailure] = useState<Failure>()
  const [busy, setBusy] = useState(false)
  const settings: Settings = {
    value: (setting) => (setting in draft.value ? draft.value[setting] : valueAt(config, setting)),
    error: (setting) => failure?.wrong.find((it) => it.name === setting)?.reason,
    pinned: (setting) => origins.some((it) => it.setting === setting && it.pinned),
    set: draft.set
  }
  const save = async (): Promise<void> => {
    const changes = Object.fromEntries(
      Object.entries(draft.value).filter(([path, value]) => value !== valueAt(config, path))
    )
    if (Object.keys(changes).length > 0) {
      setBusy(true)
      const answer = await call("PUT /api/v1/config/custom", { body: bodyOf(changes) })
      setBusy(false)
      setFailure(answer.ok ? undefined : answer)
      if (!answer.ok) return
      onSaved(answer.body)
    }
    draft.clear()
    onNext()
  }
  return (
    <form
      class="card stack"
      aria-labelledby="step"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void save()
      }}
    >
      <h2 id="step">{t("stepName", { step })}</h2>
      <p class="lead">{t("stepText", { step })}</p>
      {step === "mail" ? <TestMail /> : <Fields step={step} settings={settings} />}
      {failure !== undefined && (
        <p role="alert" class="f-error">
          {failure.wrong.length > 0
            ? failure.wrong.map((it) => `${it.name}: ${it.reason}`).join(" · ")
            : failureWords(failure)}
        </p>
      )}
      <div class="acts">
        <Button kind="primary" type="submit" busy={busy}>
          {step === "mail" ? t("next") : t("saveAndNext")}
        </Button>
        {step !== "mail" && (
          <Button kind="quiet" onClick={onNext}>
            {t("skip")}
          </Button>
        )}
      </div>
    </form>
  )
}
