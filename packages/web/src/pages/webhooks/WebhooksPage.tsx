import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { navigate } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { SecretDialog } from "./SecretDialog.tsx"
import { State } from "./State.tsx"
import { eventName, type Webhook } from "./Webhook.ts"
import { WebhookDialog } from "./WebhookDialog.tsx"

const t = text("webhooks")

const columns: ReadonlyArray<Column<Webhook>> = [
  {
    key: "url",
    label: t("address"),
    wide: true,
    cell: (it) => (
      <div class="who">
        <a class="plain-link webhook-address" href={`/admin/webhooks/${it.id}`}>
          {it.url}
        </a>
        <span class="soft">{it.description === "" ? it.events.map(eventName).join(", ") : it.description}</span>
      </div>
    )
  },
  { key: "state", label: t("state"), cell: (it) => <State webhook={it} /> },
  { key: "waiting", label: t("waiting"), align: "end", cell: (it) => number(it.waiting) },
  { key: "failed", label: t("failed"), align: "end", cell: (it) => number(it.failed) },
  {
    key: "lastDeliveredAt",
    label: t("lastDelivered"),
    cell: (it) =>
      it.lastDeliveredAt === null ? t("never") : <time dateTime={it.lastDeliveredAt}>{moment(it.lastDeliveredAt)}</time>
  }
]

/** Addresses that are sent what happens. */
export const Page = () => {
  const start = startOfPage()
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ readonly id: number; readonly secret: string }>()
  const list = useLoad(`webhooks ${start}`, (signal) =>
    call("GET /api/v1/server/webhooks", { query: { start, count: perPage }, signal })
  )
  useLive(list.again)
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
        <div class="head-acts">
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {t("addOne")}
          </Button>
        </div>
      </header>
      <ListView
        label={t("title")}
        list={list}
        columns={columns}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.url}
        empty={<Empty icon="swap" title={t("emptyTitle")} text={t("emptyText")} />}
      />
      {adding && (
        <WebhookDialog
          onClose={() => setAdding(false)}
          onDone={(it) => {
            setAdding(false)
            setMade(it)
            void list.again()
          }}
        />
      )}
      {made !== undefined && (
        <SecretDialog secret={made.secret} onClose={() => navigate(`/admin/webhooks/${made.id}`)} />
      )}
    </>
  )
}
