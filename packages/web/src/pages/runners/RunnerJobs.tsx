import { RunnerJobState, runnerJobStates } from "@kinora/domain/enums/RunnerJobState"
import { madeRunnerJobTypes } from "@kinora/domain/enums/RunnerJobType"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment, percent } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Badge, Empty, Progress } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { act } from "../admin/Acts.ts"
import { FactsDialog, type FactsOf } from "../admin/Facts.tsx"
import { Filter, ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"

const t = text("runners")
const common = text("common")

/** Messages name what has a hyphen with an underscore. */
const typeName = (type: string): string => t("jobType", { type: type.replaceAll("-", "_") })

type Job = Output<"GET /api/v1/runners/jobs">["data"][number]

const kinds: Readonly<Record<number, "good" | "bad" | "warn">> = {
  [RunnerJobState.processing]: "warn",
  [RunnerJobState.completing]: "warn",
  [RunnerJobState.completed]: "good",
  [RunnerJobState.errored]: "bad",
  [RunnerJobState.parentErrored]: "bad"
}

const State = ({ job }: { readonly job: Job }) => (
  <div class="job-state">
    <Badge kind={kinds[job.state.id] ?? "plain"}>{t("jobState", { state: job.state.id })}</Badge>
    {job.state.id === RunnerJobState.processing && (
      <>
        <span>{percent((job.progress ?? 0) / 100)}</span>
        <Progress label={t("progressOf", { id: job.uuid.slice(0, 8) })} value={job.progress ?? undefined} max={100} />
      </>
    )}
  </div>
)

const isOver = ({ state }: Job): boolean =>
  state.id === RunnerJobState.completed ||
  state.id === RunnerJobState.errored ||
  state.id === RunnerJobState.cancelled ||
  state.id === RunnerJobState.parentErrored ||
  state.id === RunnerJobState.parentCancelled

const mayRetry = ({ state }: Job): boolean =>
  state.id === RunnerJobState.errored || state.id === RunnerJobState.cancelled

const one = (job: Job) => ({ params: { jobUUID: job.uuid } })

const cancel = async (job: Job): Promise<boolean> => {
  const yes = await confirm({ title: t("cancelTitle"), text: t("cancelText"), action: t("cancelJob"), danger: true })
  return yes && (await act(call("POST /api/v1/runners/jobs/:jobUUID/cancel", one(job)), t("cancelled")))
}

const remove = async (job: Job): Promise<boolean> => {
  const yes = await confirm({ title: t("deleteJobTitle"), text: t("deleteJobText"), action: t("delete"), danger: true })
  return yes && (await act(call("DELETE /api/v1/runners/jobs/:jobUUID", one(job)), t("jobDeleted")))
}

const factsOf = (job: Job): FactsOf => ({
  title: typeName(job.type),
  lead: t("jobLead", { id: job.uuid, failures: job.failures, priority: job.priority }),
  parts: [
    ...(job.error === null ? [] : [{ label: t("error"), value: job.error }]),
    { label: t("payload"), value: job.payload },
    { label: t("privatePayload"), value: job.privatePayload }
  ]
})

const columns = (onDetails: (job: Job) => void, run: (doing: Promise<boolean>) => void): ReadonlyArray<Column<Job>> => [
  {
    key: "type",
    label: t("work"),
    wide: true,
    cell: (it) => (
      <div class="who">
        <strong>{typeName(it.type)}</strong>
        <span class="soft">{it.uuid.slice(0, 8)}</span>
        {it.error !== null && <span class="job-error">{it.error}</span>}
      </div>
    )
  },
  { key: "state", label: t("state"), sort: "state", cell: (it) => <State job={it} /> },
  { key: "runner", label: t("runner"), cell: (it) => it.runner?.name ?? t("nobody") },
  { key: "priority", label: t("priority"), sort: "priority", align: "end", cell: (it) => it.priority },
  {
    key: "createdAt",
    label: t("created"),
    sort: "createdAt",
    cell: (it) => <time dateTime={it.createdAt}>{moment(it.createdAt)}</time>
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => {
      const items: ReadonlyArray<MenuItem> = [
        { label: t("details"), icon: "info", onSelect: () => onDetails(it) },
        ...(mayRetry(it)
          ? [
              {
                label: t("retry"),
                icon: "retry",
                onSelect: () => run(act(call("POST /api/v1/runners/jobs/:jobUUID/retry", one(it)), t("retried")))
              } as const
            ]
          : []),
        ...(isOver(it) ? [] : [{ label: t("cancelJob"), icon: "close", onSelect: () => run(cancel(it)) } as const]),
        { label: t("delete"), icon: "trash", danger: true, onSelect: () => run(remove(it)) }
      ]
      return <Menu label={common("actions", { name: it.uuid.slice(0, 8) })} icon="dots" kind="quiet" items={items} />
    }
  }
]

const columnNames = ["createdAt", "state", "priority"] as const
const sorts = columnNames.flatMap((it) => [it, `-${it}` as const])

/** Work that is given to runners, live. */
export const RunnerJobs = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const sort = sorts.find((it) => it === query.get("sort")) ?? "-createdAt"
  const state = runnerJobStates.find((it) => String(it) === query.get("state"))
  const type = madeRunnerJobTypes.find((it) => it === query.get("type"))
  const start = startOfPage()
  const [details, setDetails] = useState<FactsOf>()
  const list = useLoad(`runner jobs ${search} ${sort} ${state} ${type} ${start}`, (signal) =>
    call("GET /api/v1/runners/jobs", {
      query: {
        search: search === "" ? undefined : search,
        sort,
        stateOneOf: state === undefined ? undefined : [state],
        typeOneOf: type === undefined ? undefined : [type],
        start,
        count: perPage
      },
      signal
    })
  )
  useLive(list.again)
  const run = (doing: Promise<boolean>): void => {
    void doing.then((done) => (done ? list.again() : undefined))
  }
  return (
    <>
      <ListView
        label={t("jobs")}
        list={list}
        columns={columns((job) => setDetails(factsOf(job)), run)}
        keyOf={(it) => it.uuid}
        nameOf={(it) => it.uuid}
        sort={sort}
        tools={
          <>
            <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setFilter({ search: value })} />
            <Filter
              label={t("state")}
              name="state"
              options={runnerJobStates.map((it) => ({ value: String(it), label: t("jobState", { state: it }) }))}
            />
            <Filter
              label={t("work")}
              name="type"
              options={madeRunnerJobTypes.map((it) => ({ value: it, label: typeName(it) }))}
            />
          </>
        }
        empty={<Empty icon="layers" title={t("noJobsTitle")} text={t("noJobsText")} />}
      />
      {details !== undefined && <FactsDialog facts={details} onClose={() => setDetails(undefined)} />}
    </>
  )
}
