import { webhookDeliveryStates } from "@kinora/domain/enums/WebhookEvent"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Badge, Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { act } from "../admin/Acts.ts"
import { FactsDialog, type FactsOf } from "../admin/Facts.tsx"
import { Filter, ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { type Delivery, eventName, type Webhook } from "./Webhook.ts"

const t = text("webhooks")

const kinds = { waiting: "warn", delivered: "good", failed: "bad" } as const

const factsOf = (it: Delivery): FactsOf => ({
  title: eventName(it.type),
  lead: t("deliveryLead", { id: it.messageId, attempts: it.attempts }),
  parts: [
    ...(it.error === null ? [] : [{ label: t("error"), value: it.error }]),
    { label: t("body"), value: it.body },
    ...(it.answer === null || it.answer === "" ? [] : [{ label: t("answer"), value: it.answer }])
  ]
})

const columns = (
  active: boolean,
  onDetails: (delivery: Delivery) => void,
  onReplay: (delivery: Delivery) => void
): ReadonlyArray<Column<Delivery>> => [
  {
    key: "type",
    label: t("event"),
    wide: true,
    cell: (it) => (
      <div class="who">
        <strong>{eventName(it.type)}</strong>
        {it.error !== null && <span class="job-error">{it.error}</span>}
      </div>
    )
  },
  {
    key: "state",
    label: t("state"),
    cell: (it) => <Badge kind={kinds[it.state]}>{t("deliveryState", { state: it.state })}</Badge>
  },
  { key: "attempts", label: t("attempts"), align: "end", cell: (it) => number(it.attempts) },
  {
    key: "status",
    label: t("answered"),
    cell: (it) => (it.status === null ? "–" : t("statusIn", { status: String(it.status), ms: it.durationMs ?? 0 }))
  },
  {
    key: "createdAt",
    label: t("created"),
    cell: (it) => <time dateTime={it.createdAt}>{moment(it.createdAt)}</time>
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <span class="one-line">
        {active && it.state !== "waiting" && (
          <Button kind="quiet" small icon="retry" label={t("replayOne", { id: it.id })} onClick={() => onReplay(it)} />
        )}
        <Button kind="quiet" small icon="info" label={t("detailsOf", { id: it.id })} onClick={() => onDetails(it)} />
      </span>
    )
  }
]

/** What a webhook was sent in the last days, and what waits; live while it is looked at. */
export const Deliveries = ({ onChange, webhook }: { readonly webhook: Webhook; readonly onChange: () => void }) => {
  const start = startOfPage()
  const state = webhookDeliveryStates.find((it) => it === place.value.query.get("state"))
  const [details, setDetails] = useState<FactsOf>()
  const list = useLoad(`webhook deliveries ${webhook.id} ${state} ${start}`, (signal) =>
    call("GET /api/v1/server/webhooks/:webhookId/deliveries", {
      params: { webhookId: webhook.id },
      query: { state, start, count: perPage },
      signal
    })
  )
  useLive(list.again)
  const replay = async ({ id }: Delivery): Promise<void> => {
    const params = { webhookId: webhook.id, deliveryId: id }
    if (
      await act(call("POST /api/v1/server/webhooks/:webhookId/deliveries/:deliveryId/replay", { params }), t("again"))
    ) {
      await list.again()
      onChange()
    }
  }
  return (
    <>
      <ListView
        label={t("log")}
        list={list}
        columns={columns(
          webhook.active,
          (it) => setDetails(factsOf(it)),
          (it) => void replay(it)
        )}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => eventName(it.type)}
        tools={
          <Filter
            label={t("state")}
            name="state"
            options={webhookDeliveryStates.map((value) => ({ value, label: t("deliveryState", { state: value }) }))}
          />
        }
        empty={<Empty icon="list" title={t("noDeliveriesTitle")} text={t("noDeliveriesText")} />}
      />
      {details !== undefined && <FactsDialog facts={details} onClose={() => setDetails(undefined)} />}
    </>
  )
}
