import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { SelectField } from "../../ui/Choices.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Figures } from "./Figures.tsx"

const t = text("instanceStatistics")
const common = text("common")
const shared = text("statistics")

/** Spans that can be chosen, in days. */
const spans = [1, 7, 30, 365] as const
const dayMillis = 86_400_000

/** The plots, by what they are about. */
const sections = [
  {
    name: "people",
    plots: [
      { label: () => t("users"), metrics: ["users"] },
      { label: () => t("videos"), metrics: ["videos"] },
      { label: () => t("views"), metrics: ["views"] }
    ]
  },
  {
    name: "storage",
    help: "storageHelp",
    plots: [{ label: (unit: string) => t("storageIn", { unit }), metrics: ["fileBytes", "databaseBytes"] }]
  },
  {
    name: "traffic",
    plots: [
      { label: () => t("requests"), metrics: ["requests"] },
      { label: (unit: string) => t("responsesIn", { unit }), metrics: ["responseBytes"] }
    ]
  },
  {
    name: "work",
    plots: [
      { label: () => t("jobsEnded"), metrics: ["jobsCompleted", "jobsFailed"] },
      { label: () => t("jobsWaiting"), metrics: ["jobsWaiting"] }
    ]
  },
  {
    name: "federation",
    plots: [
      { label: () => t("follows"), metrics: ["followers", "following"] },
      { label: () => t("sent"), metrics: ["deliveries", "deliveriesFailed"] },
      { label: () => t("received"), metrics: ["activitiesApplied", "activitiesRefused"] },
      { label: () => t("queues"), metrics: ["deliveriesWaiting", "activitiesWaiting"] }
    ]
  }
] as const

/** How the instance changes over time. The span is in the address. */
export const Page = () => {
  const days = spans.find((it) => String(it) === place.value.query.get("days")) ?? 30
  const { again, data, failure } = useLoad(`instance statistics ${days}`, (signal) => {
    const now = Date.now()
    const query = { startDate: new Date(now - days * dayMillis).toISOString(), endDate: new Date(now).toISOString() }
    return call("GET /api/v1/server/stats/timeseries", { query, signal })
  })
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{common("instanceStatisticsTitle")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <div class="toolbar">
        <SelectField
          label={shared("span")}
          value={String(days)}
          options={spans.map((it) => ({ value: String(it), label: t("spanName", { days: it }) }))}
          onValue={(value) => setQuery({ days: value === "30" ? undefined : value })}
        />
        {data !== undefined && <p class="soft">{t(data.groupInterval === "1 hour" ? "perHour" : "perDay")}</p>}
      </div>
      {failure !== undefined && <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />}
      {data === undefined && failure === undefined && <Skeleton rows={8} />}
      {data?.data.length === 0 && <p class="lead">{t("nothing")}</p>}
      {data !== undefined && data.data.length > 0 && (
        <div class="stack">
          {sections.map((section) => (
            <section key={section.name} class="stack" aria-labelledby={`about-${section.name}`}>
              <h2 id={`about-${section.name}`}>{t(section.name)}</h2>
              {"help" in section && <p class="soft">{t(section.help)}</p>}
              <div class="plots">
                {section.plots.map(({ label, metrics }) => (
                  <Figures key={metrics.join()} label={label} metrics={metrics} steps={data.data} />
                ))}
              </div>
            </section>
          ))}
        </div>
      )}
    </>
  )
}
