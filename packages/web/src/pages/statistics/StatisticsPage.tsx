import { useMemo } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { currentLanguage, text } from "../../i18n/Text.ts"
import { clock, moment, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { SelectField } from "../../ui/Choices.tsx"
import { Plot } from "../../ui/Plot.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Export, Shares } from "./Parts.tsx"
import { Retention } from "./Retention.tsx"
import { spanOf, spans } from "./Span.ts"

const t = text("statistics")

type Series = Output<"GET /api/v1/videos/:id/stats/timeseries/:metric">

interface Figures {
  readonly video: Output<"GET /api/v1/videos/:id">
  readonly overall: Output<"GET /api/v1/videos/:id/stats/overall">
  readonly retention: Output<"GET /api/v1/videos/:id/stats/retention">
  readonly agents: Output<"GET /api/v1/videos/:id/stats/user-agent">
  readonly viewers: Series
  readonly watchTime: Series
}

/** Everything the page shows of a span. */
const loadFigures = async (id: string, days: number, signal: AbortSignal): Promise<Answer<Figures>> => {
  const params = { id }
  const video = await call("GET /api/v1/videos/:id", { params, signal })
  if (!video.ok) return video
  const query = spanOf(days, video.body.publishedAt, Date.now())
  const path = "/api/v1/videos/:id/stats"
  const [overall, retention, agents, viewers, watchTime] = await Promise.all([
    call(`GET ${path}/overall`, { params, query, signal }),
    call(`GET ${path}/retention`, { params, signal }),
    call(`GET ${path}/user-agent`, { params, query, signal }),
    call(`GET ${path}/timeseries/:metric`, { params: { id, metric: "viewers" }, query, signal }),
    call(`GET ${path}/timeseries/:metric`, { params: { id, metric: "aggregateWatchTime" }, query, signal })
  ])
  if (!overall.ok) return overall
  if (!retention.ok) return retention
  if (!agents.ok) return agents
  if (!viewers.ok) return viewers
  if (!watchTime.ok) return watchTime
  const body = {
    video: video.body,
    overall: overall.body,
    retention: retention.body,
    agents: agents.body,
    viewers: viewers.body,
    watchTime: watchTime.body
  }
  return { ...video, body }
}

const Fact = ({ label, note, value }: { readonly label: string; readonly value: string; readonly note?: string }) => (
  <div class="card s-fact">
    <dt>{label}</dt>
    <dd>
      <strong>{value}</strong>
      {note !== undefined && <span>{note}</span>}
    </dd>
  </div>
)

/** Values over time, with their export. */
const OverTime = ({
  file,
  label,
  series,
  unit
}: {
  readonly label: string
  readonly unit: string
  readonly file: string
  readonly series: Series
}) => {
  const times = useMemo(() => series.data.map((it) => Date.parse(it.date) / 1000), [series])
  const lines = useMemo(() => [{ label: unit, values: series.data.map((it) => it.value) }], [series, unit])
  return (
    <div class="card stack">
      <Plot label={label} times={times} series={lines} />
      <div>
        <Export
          what={label}
          file={file}
          columns={[t("date"), unit]}
          rows={series.data.map((it) => [it.date, it.value] as const)}
        />
      </div>
    </div>
  )
}

const Shown = ({ figures }: { readonly figures: Figures }) => {
  const { agents, overall, retention, video, viewers, watchTime } = figures
  const file = (what: string) => `${video.shortUUID}-${what}`
  const regions = new Intl.DisplayNames(currentLanguage(), { type: "region" })
  const countries = overall.countries.map((it) => ({ name: regions.of(it.isoCode) ?? it.isoCode, viewers: it.viewers }))
  const devices = agents.devices.map((it) => ({ name: t("deviceName", { name: it.name }), viewers: it.viewers }))
  const peak = overall.viewersPeakDate === null ? {} : { note: t("peakAt", { at: moment(overall.viewersPeakDate) }) }
  return (
    <div class="stack">
      <dl class="s-facts">
        <Fact label={t("viewers")} value={number(overall.totalViewers)} />
        <Fact label={t("watchTime")} value={clock(overall.totalWatchTime)} />
        <Fact label={t("average")} value={clock(overall.averageWatchTime)} />
        <Fact label={t("peak")} value={number(overall.viewersPeak)} {...peak} />
      </dl>
      {overall.totalViewers === 0 && <p class="lead">{t("nothing")}</p>}
      <OverTime label={t("perTime")} unit={t("viewers")} file={file("viewers")} series={viewers} />
      <OverTime label={t("timePerTime")} unit={t("watchSeconds")} file={file("time")} series={watchTime} />
      <Retention points={retention.data} file={file("retention")} />
      <div class="s-shares">
        <Shares id="countries" label={t("countries")} file={file("countries")} shares={countries} />
        <Shares id="devices" label={t("devices")} file={file("devices")} shares={devices} />
        <Shares id="clients" label={t("clients")} file={file("clients")} shares={agents.clients} />
        <Shares id="systems" label={t("systems")} file={file("systems")} shares={agents.operatingSystems} />
      </div>
    </div>
  )
}

/** How a video was watched. The span is in the address. */
export const Page = ({ params: { id = "" } }: PageProps) => {
  const days = spans.find((it) => String(it) === place.value.query.get("days")) ?? 30
  const { again, data, failure } = useLoad(`statistics ${id} ${days}`, (signal) => loadFigures(id, days, signal))
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          {data !== undefined && <p>{data.video.name}</p>}
        </div>
        <ButtonLink href={`/my/videos/${id}`} icon="pencil">
          {t("video")}
        </ButtonLink>
      </header>
      <div class="toolbar">
        <SelectField
          label={t("span")}
          value={String(days)}
          options={spans.map((it) => ({ value: String(it), label: t("spanName", { days: it }) }))}
          onValue={(value) => setQuery({ days: value === "30" ? undefined : value })}
        />
      </div>
      {failure !== undefined && <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />}
      {data === undefined && failure === undefined && <Skeleton rows={8} />}
      {data !== undefined && <Shown figures={data} />}
    </>
  )
}
