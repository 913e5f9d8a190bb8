import { useEffect, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { prepareDates } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { here, setQuery } from "../../navigation/Location.ts"
import { isOffered } from "../../session/Features.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Table } from "../../ui/Table.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Bulk } from "./Bulk.tsx"
import { columns } from "./Columns.tsx"
import { asSort, deleteAll, type MyVideo } from "./Videos.ts"

const t = text("videos")

const perPage = 30

/** The user's own videos: found, sorted, changed one by one or many at once. The search and the order are in the address. */
export const Page = () => {
  const { query } = here.value
  const search = query.get("search") ?? ""
  const sort = asSort(query.get("sort"))
  const start = Number(query.get("start") ?? 0) || 0
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const list = useLoad(`videos ${search} ${sort} ${start}`, (signal) =>
    call("GET /api/v1/users/me/videos", {
      query: { search: search === "" ? undefined : search, sort, start, count: perPage, includeCollaborations: true },
      signal
    })
  )
  useEffect(prepareDates, [])
  const videos = list.data?.data ?? []
  const done = async (): Promise<void> => {
    setChosen(new Set())
    await list.again()
  }
  const remove = async (video: MyVideo): Promise<void> => {
    if (await deleteAll([video])) await list.again()
  }
  const isEmpty = list.data !== undefined && videos.length === 0
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          {list.data !== undefined && <p>{t("count", { count: list.data.total })}</p>}
        </div>
        <div class="acts">
          {isOffered("live") && (
            <ButtonLink href="/my/lives/new" icon="live">
              {t("goLive")}
            </ButtonLink>
          )}
          <ButtonLink href="/my/upload" icon="upload" kind="primary">
            {t("upload")}
          </ButtonLink>
        </div>
      </header>
      {!(isEmpty && search === "") && (
        <div class="toolbar">
          {chosen.size === 0 ? (
            <SearchBox
              label={t("searchLabel")}
              value={search}
              onValue={(value) => setQuery({ search: value, start: undefined })}
            />
          ) : (
            <Bulk
              videos={videos.filter((it) => chosen.has(it.uuid))}
              onClear={() => setChosen(new Set())}
              onDone={() => void done()}
            />
          )}
        </div>
      )}
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={8} />}
      {isEmpty &&
        (search === "" ? (
          <Empty icon="film" title={t("emptyTitle")} text={t("emptyText")}>
            <ButtonLink href="/my/upload" icon="upload" kind="primary">
              {t("upload")}
            </ButtonLink>
          </Empty>
        ) : (
          <Empty icon="search" title={t("nothingTitle")} text={t("nothingText", { search })} />
        ))}
      {videos.length > 0 && (
        <>
          <Table
            label={t("title")}
            columns={columns({ onRemove: (video) => void remove(video) })}
            rows={videos}
            keyOf={(it) => it.uuid}
            nameOf={(it) => it.name}
            sort={sort}
            onSort={(by) => setQuery({ sort: by, start: undefined })}
            selection={{ keys: chosen, onKeys: setChosen }}
            busy={list.busy}
          />
          <Pager
            start={start}
            count={perPage}
            total={list.data?.total ?? 0}
            onStart={(next) => {
              setChosen(new Set())
              setQuery({ start: next === 0 ? undefined : String(next) })
              scrollTo(0, 0)
            }}
          />
        </>
      )}
    </>
  )
}
