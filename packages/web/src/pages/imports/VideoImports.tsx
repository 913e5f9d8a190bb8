import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Empty } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { columns } from "./Columns.tsx"
import { ImportForm } from "./ImportForm.tsx"
import { cancel, isOpen, isRetryable, nameOf, remove, retry } from "./Imports.ts"
import type { Offered } from "./Source.ts"

const t = text("imports")

/** What is not offered is said. */
const NotOffered = ({ offered: { http, torrent } }: { readonly offered: Offered }) =>
  http && torrent ? null : (
    <div class="notice">
      <Icon name="info" />
      <p>{http ? t("torrentsOff") : torrent ? t("addressesOff") : t("allOff")}</p>
    </div>
  )

/** The form by which a video is imported, and the user's imports; live while one of them runs. */
export const VideoImports = ({ offered }: { readonly offered: Offered }) => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const sort = query.get("sort") === "createdAt" ? "createdAt" : "-createdAt"
  const start = startOfPage()
  const list = useLoad(`imports ${search} ${sort} ${start}`, (signal) =>
    call("GET /api/v1/users/me/videos/imports", {
      query: {
        search: search === "" ? undefined : search,
        includeCollaborations: true,
        sort,
        start,
        count: perPage
      },
      signal
    })
  )
  useLive(async () => {
    if (list.data?.data.some(isOpen) === true) await list.again()
  })
  const run = (act: () => Promise<boolean>): void => {
    void act().then((went) => (went ? list.again() : undefined))
  }
  return (
    <div class="stack">
      <NotOffered offered={offered} />
      {(offered.http || offered.torrent) && <ImportForm offered={offered} onBegun={list.again} />}
      <section aria-label={t("list")}>
        <ListView
          label={t("list")}
          list={list}
          columns={columns(run)}
          keyOf={(it) => String(it.id)}
          nameOf={nameOf}
          sort={sort}
          tools={<SearchBox label={t("searchLabel")} value={search} onValue={(it) => setFilter({ search: it })} />}
          bulk={(rows, done) => {
            const all = (act: () => Promise<boolean>): void => void act().then((went) => (went ? done() : undefined))
            const [failed, open] = [rows.filter(isRetryable), rows.filter(isOpen)]
            const ended = rows.filter((it) => !isOpen(it))
            return (
              <>
                {failed.length > 0 && (
                  <Button small icon="retry" onClick={() => all(() => retry(failed))}>
                    {t("retry")}
                  </Button>
                )}
                {open.length > 0 && (
                  <Button small kind="danger" icon="close" onClick={() => all(() => cancel(open))}>
                    {t("cancel")}
                  </Button>
                )}
                {ended.length > 0 && (
                  <Button small icon="trash" onClick={() => all(() => remove(ended))}>
                    {t("remove")}
                  </Button>
                )}
              </>
            )
          }}
          empty={
            search === "" ? (
              <Empty icon="film" title={t("emptyTitle")} text={t("emptyText")} />
            ) : (
              <Empty icon="search" title={t("nothingTitle")} text={t("nothingText", { search })} />
            )
          }
        />
      </section>
    </div>
  )
}
