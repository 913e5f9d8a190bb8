import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { act } from "../admin/Acts.ts"
import { ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"

const t = text("runners")

type Runner = Output<"GET /api/v1/runners">["data"][number]

/** A runner asks for work at least this often, in milliseconds: one that has been silent for longer is away. */
const silence = 120_000

const isLive = (runner: Runner): boolean => Date.now() - Date.parse(runner.lastContact) < silence

const remove = async ({ id, name }: Runner): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteRunnerTitle", { name }),
    text: t("deleteRunnerText"),
    action: t("delete"),
    danger: true
  })
  return (
    yes &&
    (await act(call("DELETE /api/v1/runners/:runnerId", { params: { runnerId: id } }), t("runnerDeleted", { name })))
  )
}

const columns = (onDelete: (runner: Runner) => void): ReadonlyArray<Column<Runner>> => [
  {
    key: "name",
    label: t("runner"),
    wide: true,
    cell: (it) => (
      <div class="who">
        <strong>{it.name}</strong>
        {it.description !== null && <span class="soft">{it.description}</span>}
      </div>
    )
  },
  {
    key: "lastContact",
    label: t("lastContact"),
    cell: (it) => (
      <span>
        <span class="dot" data-live={isLive(it)} />
        {isLive(it) ? t("live") : moment(it.lastContact)}
      </span>
    )
  },
  { key: "version", label: t("version"), cell: (it) => it.version ?? t("unknown") },
  { key: "ip", label: t("address"), cell: (it) => it.ip },
  {
    key: "createdAt",
    label: t("registered"),
    sort: "createdAt",
    cell: (it) => <time dateTime={it.createdAt}>{moment(it.createdAt)}</time>
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Button
        kind="quiet"
        small
        icon="trash"
        label={t("deleteRunner", { name: it.name })}
        onClick={() => onDelete(it)}
      />
    )
  }
]

/** Programs elsewhere that work for the instance. */
export const RunnersList = () => {
  const start = startOfPage()
  const list = useLoad(`runners ${start}`, (signal) =>
    call("GET /api/v1/runners", { query: { sort: "-createdAt", start, count: perPage }, signal })
  )
  useLive(list.again)
  const onDelete = async (runner: Runner): Promise<void> => {
    if (await remove(runner)) await list.again()
  }
  return (
    <ListView
      label={t("runners")}
      list={list}
      columns={columns((runner) => void onDelete(runner))}
      keyOf={(it) => String(it.id)}
      nameOf={(it) => it.name}
      empty={<Empty icon="server" title={t("noRunnersTitle")} text={t("noRunnersText")} />}
    />
  )
}
