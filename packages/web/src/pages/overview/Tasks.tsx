import { useEffect } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment, prepareDates } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Badge, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Table } from "../../ui/Table.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("overview")

/** The long-lived tasks of the node that answers, as its supervisor sees them. */
export const Tasks = () => {
  const debug = useLoad("debug", (signal) => call("GET /api/v1/server/debug", { signal }))
  useEffect(prepareDates, [])
  if (debug.failure !== undefined) {
    return <LoadFailure reason={failureWords(debug.failure)} onRetry={() => void debug.again()} />
  }
  if (debug.data === undefined) return <Skeleton rows={3} />
  return (
    <Table
      label={t("tasks")}
      rows={debug.data.tasks}
      keyOf={(it) => it.name}
      nameOf={(it) => it.name}
      columns={[
        {
          key: "name",
          label: t("task"),
          wide: true,
          cell: (it) => (
            <div class="who">
              <strong>{it.name}</strong>
              {it.lastCause !== undefined && it.lastCause !== null && <span class="job-error">{it.lastCause}</span>}
            </div>
          )
        },
        {
          key: "state",
          label: t("state"),
          cell: (it) => <Badge kind={it.state === "running" ? "good" : "warn"}>{it.state}</Badge>
        },
        { key: "restarts", label: t("restarts"), align: "end", cell: (it) => it.restarts },
        { key: "since", label: t("since"), cell: (it) => <time dateTime={it.since}>{moment(it.since)}</time> }
      ]}
    />
  )
}
