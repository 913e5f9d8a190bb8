import { AbuseState, abuseStates } from "@kinora/domain/enums/AbuseState"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Empty } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { Filter, ListFrame, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { ReportCard } from "./ReportCard.tsx"

const t = text("reports")

const kinds = ["video", "comment", "account"] as const

/** What was reported to the moderators, newest first. Search and filters are in the address; `id` shows one report. */
export const Page = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const state = abuseStates.find((it) => String(it) === query.get("state"))
  const filter = kinds.find((it) => it === query.get("kind"))
  const id = Number(query.get("id") ?? 0) || undefined
  const start = startOfPage()
  const list = useLoad(`reports ${search} ${state} ${filter} ${id} ${start}`, (signal) =>
    call("GET /api/v1/abuses", {
      query: { search: search === "" ? undefined : search, state, filter, id, start, count: perPage },
      signal
    })
  )
  const filtered = search !== "" || state !== undefined || filter !== undefined || id !== undefined
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          {list.data !== undefined && <p>{t("count", { count: list.data.total })}</p>}
        </div>
      </header>
      <ListFrame
        list={list}
        tools={
          <>
            <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setFilter({ search: value })} />
            <Filter
              label={t("state")}
              name="state"
              options={[AbuseState.pending, AbuseState.accepted, AbuseState.rejected].map((it) => ({
                value: String(it),
                label: t("stateName", { state: it })
              }))}
            />
            <Filter
              label={t("kind")}
              name="kind"
              options={kinds.map((it) => ({ value: it, label: t("kindName", { kind: it }) }))}
            />
          </>
        }
        empty={
          filtered ? (
            <Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />
          ) : (
            <Empty icon="flag" title={t("emptyTitle")} text={t("emptyText")} />
          )
        }
      >
        {(reports) => (
          <div class="reports" aria-busy={list.busy}>
            {reports.map((it) => (
              <ReportCard key={it.id} report={it} onChange={() => void list.again()} />
            ))}
          </div>
        )}
      </ListFrame>
    </>
  )
}
