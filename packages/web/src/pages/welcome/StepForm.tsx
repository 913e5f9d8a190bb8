import { useEffect, useRef } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import type { Origin } from "../admin/Settings.ts"
import { type Config, refusalWords, useSettingsDraft } from "../admin/SettingsDraft.ts"
import { Fields } from "./Fields.tsx"
import type { Step } from "./Steps.ts"
import { TestMail } from "./TestMail.tsx"

const t = text("welcome")

/** A step: its fields, saved together. What is typed is kept until then. */
export const StepForm = ({
  config,
  isNext,
  onNext,
  onSaved,
  origins,
  step
}: {
  readonly step: Step
  /** The step before was on this page: what was focused there is gone. */
  readonly isNext: boolean
  readonly config: Config
  readonly origins: ReadonlyArray<Origin>
  readonly onSaved: (config: Config) => void
  readonly onNext: () => void
}) => {
  const { busy, failure, save, settings } = useSettingsDraft(`welcome.${step}`, config, origins, onSaved)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNext) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <form
      class="card stack"
      aria-labelledby="step"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (busy) return
        void save().then((saved) => {
          if (saved) onNext()
        })
      }}
    >
      <h2 id="step" tabIndex={-1} ref={heading}>
        {t("stepName", { step })}
      </h2>
      <p class="lead">{t("stepText", { step })}</p>
      {step === "mail" ? <TestMail /> : <Fields step={step} settings={settings} />}
      {failure !== undefined && (
        <p role="alert" class="f-error">
          {refusalWords(failure)}
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
