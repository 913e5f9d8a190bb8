import { useEffect } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment, prepareDates } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Badge } from "../../ui/States.tsx"
import { Table } from "../../ui/Table.tsx"
import { useLive } from "../admin/Live.ts"

const t = text("overview")

type Node = NonNullable<Output<"GET /api/v1/server/debug">["nodes"]>[number]

/** Tasks that run on this node and on no other: those that run once, and those of a role that it alone has. */
const onlyHere = (node: Node, all: ReadonlyArray<Node>): ReadonlyArray<string> => {
  const elsewhere = new Set(
    all.flatMap((it) => (it.alive && it.address !== node.address ? it.tasks.map(({ name }) => name) : []))
  )
  return node.alive ? node.tasks.map(({ name }) => name).filter((name) => !elsewhere.has(name)) : []
}

const NodeState = ({ node }: { readonly node: Node }) => {
  const ill = node.tasks.filter(({ state }) => state !== "running").length
  if (!node.alive) return <Badge kind="bad">{t("lost")}</Badge>
  return ill > 0 ? <Badge kind="warn">{t("illTasks", { count: ill })}</Badge> : <Badge kind="good">{t("alive")}</Badge>
}

const Runs = ({ all, node }: { readonly node: Node; readonly all: ReadonlyArray<Node> }) => {
  const placed = onlyHere(node, all)
  return (
    <div class="who">
      <span>{t("placed", { shards: node.shards, entities: node.entities, lives: node.lives.length })}</span>
      {placed.length > 0 && (
        <details>
          <summary>{t("onlyHere", { count: placed.length })}</summary>
          <ul>
            {placed.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** The nodes of the instance and what each of them runs, where there are several. */
export const Nodes = () => {
  const debug = useLoad("debug", (signal) => call("GET /api/v1/server/debug", { signal }))
  useEffect(prepareDates, [])
  useLive(debug.again)
  const all = debug.data?.nodes
  if (all === undefined) return null
  return (
    <section aria-labelledby="nodes">
      <h2 id="nodes">{t("nodes")}</h2>
      <Table
        label={t("nodes")}
        rows={all}
        keyOf={(it) => it.address}
        nameOf={(it) => it.name}
        columns={[
          {
            key: "name",
            label: t("node"),
            wide: true,
            cell: (it) => (
              <div class="who">
                <strong>{it.name}</strong>
                <span class="soft">{it.answers ? t("answers", { address: it.address }) : it.address}</span>
                <span class="soft">{t("version", { version: it.version })}</span>
              </div>
            )
          },
          { key: "state", label: t("state"), cell: (it) => <NodeState node={it} /> },
          { key: "roles", label: t("roles"), cell: (it) => it.roles.join(", ") },
          { key: "runs", label: t("runs"), cell: (it) => <Runs node={it} all={all} /> },
          {
            key: "since",
            label: t("since"),
            cell: (it) => <time dateTime={it.startedAt}>{moment(it.startedAt)}</time>
          },
          { key: "seen", label: t("seen"), cell: (it) => <time dateTime={it.seenAt}>{moment(it.seenAt)}</time> }
        ]}
      />
    </section>
  )
}
