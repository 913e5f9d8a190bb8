import { jobStates } from "@kinora/domain/enums/JobState"
import { jobTypes } from "@kinora/domain/enums/JobType"
import { useState } from "preact/hooks"
import { property } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Badge, Empty, Progress } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { act } from "../admin/Acts.ts"
import { FactsDialog, type FactsOf } from "../admin/Facts.tsx"
import { Filter, ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"

const t = text("jobs")

/** Messages name what has a hyphen with an underscore. */
const typeName = (type: string): string => t("typeName", { type: type.replaceAll("-", "_") })
const stateName = (state: string): string => t("stateName", { state: state.replaceAll("-", "_") })

type Job = Output<"GET /api/v1/jobs/:state?">["data"][number]

/** States that the board knows; "paused" is what waits while it is paused. */
const shownStates = jobStates.filter((it) => it !== "prioritized" && it !== "paused")

const kinds: Readonly<Record<string, "good" | "bad" | "warn">> = { active: "warn", completed: "good", failed: "bad" }

const errorOf = (job: Job): string | undefined => {
  const message = property(job.error, "message")
  return typeof message === "string" && message !== "" ? message : undefined
}

const State = ({ job }: { readonly job: Job }) => (
  <div class="job-state">
    <Badge kind={kinds[job.state] ?? "plain"}>{stateName(job.state)}</Badge>
    {job.state === "active" && (
      <Progress
        label={t("progressOf", { type: typeName(job.type) })}
        value={job.progress === 0 ? undefined : job.progress}
        max={100}
      />
    )}
  </div>
)

const Time = ({ at }: { readonly at: string | null }) => (at === null ? null : <time dateTime={at}>{moment(at)}</time>)

const columns = (onDetails: (job: Job) => void): ReadonlyArray<Column<Job>> => [
  {
    key: "type",
    label: t("type"),
    wide: true,
    cell: (it) => (
      <div class="who">
        <strong>{typeName(it.type)}</strong>
        {errorOf(it) !== undefined && <span class="job-error">{errorOf(it)}</span>}
      </div>
    )
  },
  { key: "state", label: t("state"), cell: (it) => <State job={it} /> },
  { key: "createdAt", label: t("created"), sort: "createdAt", cell: (it) => <Time at={it.createdAt} /> },
  { key: "processedOn", label: t("began"), cell: (it) => <Time at={it.processedOn} /> },
  { key: "finishedOn", label: t("ended"), cell: (it) => <Time at={it.finishedOn} /> },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Button
        kind="quiet"
        small
        icon="info"
        label={t("detailsOf", { type: typeName(it.type), id: String(it.id) })}
        onClick={() => onDetails(it)}
      />
    )
  }
]

const factsOf = (job: Job): FactsOf => ({
  title: typeName(job.type),
  lead: t("lead", { id: String(job.id), priority: job.priority }),
  parts: [
    ...(errorOf(job) === undefined ? [] : [{ label: t("error"), value: errorOf(job) }]),
    { label: t("data"), value: job.data }
  ]
})

/** What the instance works on, what waits and what failed; live while it is looked at. */
export const Page = () => {
  const { query } = place.value
  const state = shownStates.find((it) => it === query.get("state"))
  const jobType = jobTypes.find((it) => it === query.get("type"))
  const sort = query.get("sort") === "createdAt" ? "createdAt" : "-createdAt"
  const start = startOfPage()
  const [details, setDetails] = useState<FactsOf>()
  const list = useLoad(`jobs ${state} ${jobType} ${sort} ${start}`, (signal) =>
    call("GET /api/v1/jobs/:state?", { params: { state }, query: { jobType, sort, start, count: perPage }, signal })
  )
  const paused = useLoad("jobs paused", (signal) =>
    call("GET /api/v1/jobs/:state?", { params: { state: "paused" }, query: { count: 0 }, signal })
  )
  useLive(async () => {
    await Promise.all([list.again(), paused.again()])
  })
  const pause = async (): Promise<void> => {
    const yes = await confirm({ title: t("pauseTitle"), text: t("pauseText"), action: t("pause") })
    if (yes && (await act(call("POST /api/v1/jobs/pause"), t("isPaused")))) await paused.again()
  }
  const resume = async (): Promise<void> => {
    if (await act(call("POST /api/v1/jobs/resume"), t("isResumed"))) await Promise.all([paused.again(), list.again()])
  }
  const waiting = paused.data?.total ?? 0
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          {list.data !== undefined && <p>{t("count", { count: list.data.total })}</p>}
        </div>
        <div class="head-acts">
          <Button icon="pause" onClick={() => void pause()}>
            {t("pause")}
          </Button>
          <Button icon="play" onClick={() => void resume()}>
            {t("resume")}
          </Button>
        </div>
      </header>
      {waiting > 0 && (
        <div class="notice" role="status">
          <Icon name="pause" />
          <p>{t("pausedNotice", { count: waiting })}</p>
        </div>
      )}
      <ListView
        label={t("title")}
        list={list}
        columns={columns((job) => setDetails(factsOf(job)))}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.type}
        sort={sort}
        tools={
          <>
            <Filter
              label={t("state")}
              name="state"
              options={shownStates.map((it) => ({ value: it, label: stateName(it) }))}
            />
            <Filter
              label={t("type")}
              name="type"
              options={jobTypes.map((it) => ({ value: it, label: typeName(it) }))}
            />
          </>
        }
        empty={<Empty icon="layers" title={t("emptyTitle")} text={t("emptyText")} />}
      />
      {details !== undefined && <FactsDialog facts={details} onClose={() => setDetails(undefined)} />}
    </>
  )
}
