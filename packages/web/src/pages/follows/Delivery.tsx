import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Empty } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { act, actOnAll } from "../admin/Acts.ts"
import { Filter, ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { deliveryColumns, mayRetry } from "./DeliveryColumns.tsx"
import type { Host } from "./DeliveryWords.ts"
import { WaitingDialog } from "./WaitingDialog.tsx"

const t = text("follows")

const states = ["failing", "unavailable", "resting", "unknown", "well"] as const
const sorts = ["-waiting", "waiting", "host", "-host", "lastSuccessAt", "-lastSuccessAt"] as const

const retry = (host: Host) => call("POST /api/v1/server/federation/hosts/:host/retry", { params: { host: host.host } })

/** How hosts take what they are sent, live. */
export const Delivery = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const state = states.find((it) => it === query.get("state"))
  const sort = sorts.find((it) => it === query.get("sort")) ?? "-waiting"
  const start = startOfPage()
  const [shown, setShown] = useState<string>()
  const list = useLoad(`hosts ${search} ${state} ${sort} ${start}`, (signal) =>
    call("GET /api/v1/server/federation/hosts", {
      query: { search: search === "" ? undefined : search, state, sort, start, count: perPage },
      signal
    })
  )
  useLive(list.again)
  const tryNow = async (host: Host): Promise<void> => {
    if (await act(retry(host), t("beingTried", { host: host.host }))) await list.again()
  }
  const tryAll = async (hosts: ReadonlyArray<Host>, done: () => void): Promise<void> => {
    if (await actOnAll(hosts, retry, (count) => t("allTried", { count }))) done()
  }
  return (
    <>
      <p class="tab-lead">{t("deliveryLead")}</p>
      <ListView
        label={t("hosts")}
        list={list}
        columns={deliveryColumns((host) => void tryNow(host), setShown)}
        keyOf={(it) => it.host}
        nameOf={(it) => it.host}
        sort={sort}
        tools={
          <>
            <SearchBox label={t("searchHosts")} value={search} onValue={(value) => setFilter({ search: value })} />
            <Filter
              label={t("state")}
              name="state"
              options={states.map((it) => ({ value: it, label: t("hostState", { state: it, waiting: "any" }) }))}
            />
          </>
        }
        bulk={(rows, done) => {
          const chosen = rows.filter(mayRetry)
          return chosen.length === 0 ? (
            <span>{t("nothingToTry")}</span>
          ) : (
            <Button small icon="retry" onClick={() => void tryAll(chosen, done)}>
              {t("tryNow")}
            </Button>
          )
        }}
        empty={
          search === "" && state === undefined ? (
            <Empty icon="server" title={t("noHostsTitle")} text={t("noHostsText")} />
          ) : (
            <Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />
          )
        }
      />
      {shown !== undefined && <WaitingDialog host={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
