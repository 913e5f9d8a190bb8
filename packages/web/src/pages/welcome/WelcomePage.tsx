import { useRef } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { StepForm } from "./StepForm.tsx"
import { type Step, steps } from "./Steps.ts"

const t = text("welcome")

const StepList = ({ now }: { readonly now: Step | undefined }) => (
  <nav aria-label={t("steps")}>
    <ol class="welcome-steps">
      {steps.map((step, at) => (
        <li key={step}>
          <a href={`/admin/welcome?step=${step}`} aria-current={step === now ? "step" : undefined}>
            <span class="welcome-number">{at + 1}</span>
            {t("stepName", { step })}
          </a>
        </li>
      ))}
    </ol>
  </nav>
)

const Done = () => (
  <Empty icon="check" title={t("doneTitle")} text={t("doneText")}>
    <ButtonLink kind="primary" href="/admin">
      {t("toOverview")}
    </ButtonLink>
    <ButtonLink href="/admin/config">{t("toConfig")}</ButtonLink>
    <ButtonLink href="/my/upload">{t("toUpload")}</ButtonLink>
  </Empty>
)

/** Takes an operator from a fresh start to a configured instance, step by step; the step is in the address. */
export const Page = () => {
  const at = place.value.query.get("step")
  const step = at === "done" ? undefined : (steps.find((it) => it === at) ?? "identity")
  const config = useLoad("config", (signal) => call("GET /api/v1/config/custom", { signal }))
  const origins = useLoad("origins", (signal) => call("GET /api/v1/config/custom/origins", { signal }))
  const failure = config.failure ?? origins.failure
  const isNext = useRef(false)
  const next = (): void => {
    isNext.current = true
    setQuery({ step: (step === undefined ? undefined : steps[steps.indexOf(step) + 1]) ?? "done" })
    scrollTo(0, 0)
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <div class="welcome">
        <StepList now={step} />
        {failure !== undefined && (
          <LoadFailure
            reason={failureWords(failure)}
            onRetry={() => void Promise.all([config.again(), origins.again()])}
          />
        )}
        {failure === undefined && (config.data === undefined || origins.data === undefined) && <Skeleton rows={5} />}
        {step === undefined ? (
          <Done />
        ) : (
          config.data !== undefined &&
          origins.data !== undefined && (
            <StepForm
              key={step}
              step={step}
              isNext={isNext.current}
              config={config.data}
              origins={origins.data.data}
              onSaved={config.show}
              onNext={next}
            />
          )
        )}
      </div>
    </>
  )
}
