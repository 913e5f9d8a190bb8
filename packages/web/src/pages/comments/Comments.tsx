import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Pager } from "../../ui/Pager.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Table } from "../../ui/Table.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { BulkBar, SearchBox } from "../../ui/Toolbar.tsx"
import { failureWords } from "../../ui/Words.ts"
import { approve, type Comment, remove, type Reviewing } from "./Acts.ts"
import { columns, nameOf } from "./Columns.tsx"
import { Narrowing, narrowing } from "./Narrowing.tsx"

const t = text("review")

const perPage = 30

const Tools = ({
  chosen,
  onClear,
  run,
  search
}: {
  readonly chosen: ReadonlyArray<Comment>
  readonly search: string
  readonly onClear: () => void
  readonly run: (act: () => Promise<boolean>) => void
}) => {
  const held = chosen.filter((it) => it.heldForReview)
  return (
    <div class="toolbar">
      {chosen.length === 0 ? (
        <SearchBox
          label={t("searchLabel")}
          value={search}
          onValue={(value) => setQuery({ search: value, start: undefined })}
        />
      ) : (
        <BulkBar count={chosen.length} onClear={onClear}>
          {held.length > 0 && (
            <Button small icon="check" onClick={() => run(() => approve(held))}>
              {t("approve")}
            </Button>
          )}
          <Button kind="danger" small icon="trash" onClick={() => run(() => remove(chosen))}>
            {t("delete")}
          </Button>
        </BulkBar>
      )}
    </div>
  )
}

/** What people write below the user's videos, or anywhere: approved and deleted, one by one or many at once. */
export const Comments = ({ by }: { readonly by: Reviewing }) => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const held = query.get("show") === "held"
  const sort: "createdAt" | "-createdAt" = query.get("sort") === "createdAt" ? "createdAt" : "-createdAt"
  const start = Number(query.get("start") ?? 0) || 0
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const narrowed = by === "server" ? narrowing() : {}
  const asked = {
    ...narrowed,
    search: search === "" ? undefined : search,
    isHeldForReview: held ? true : undefined,
    sort,
    start,
    count: perPage
  }
  const list = useLoad(`comments ${by} ${JSON.stringify(asked)}`, (signal) =>
    by === "server"
      ? call("GET /api/v1/videos/comments", { query: { ...asked, includeMuted: true }, signal })
      : call("GET /api/v1/users/me/videos/comments", { query: { ...asked, includeCollaborations: true }, signal })
  )
  const comments = list.data?.data ?? []
  const run = (act: () => Promise<boolean>): void => {
    void act().then(async (went) => {
      if (!went) return
      setKeys(new Set())
      await list.again()
    })
  }
  const filtered = Object.values(narrowed).some((it) => it !== undefined)
  const emptyWords = filtered
    ? t("nothingFits")
    : search !== ""
      ? t("nothingFound", { search })
      : held
        ? t("nothingWaits")
        : by === "server"
          ? t("allEmptyText")
          : t("emptyText")
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{by === "server" ? t("allTitle") : t("title")}</h1>
          <p>{by === "server" ? t("allLead") : t("lead")}</p>
        </div>
      </header>
      <Tabs
        label={t("which")}
        tabs={[
          { key: "all", label: t("all") },
          { key: "held", label: t("held") }
        ]}
        selected={held ? "held" : "all"}
        onSelect={(key) => {
          setKeys(new Set())
          setQuery({ show: key === "all" ? undefined : key, start: undefined })
        }}
      >
        <Tools
          chosen={comments.filter((it) => keys.has(String(it.id)))}
          search={search}
          onClear={() => setKeys(new Set())}
          run={run}
        />
        {by === "server" && <Narrowing />}
        {list.failure !== undefined && (
          <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
        )}
        {list.data === undefined && list.failure === undefined && <Skeleton rows={8} />}
        {list.data !== undefined && comments.length === 0 && (
          <Empty icon="info" title={t("emptyTitle")} text={emptyWords} />
        )}
        {comments.length > 0 && (
          <Table
            label={t("title")}
            columns={columns(by, run)}
            rows={comments}
            keyOf={(it) => String(it.id)}
            nameOf={nameOf}
            sort={sort}
            onSort={(by) => setQuery({ sort: by, start: undefined })}
            selection={{ keys, onKeys: setKeys }}
            busy={list.busy}
          />
        )}
        <Pager
          start={start}
          count={perPage}
          total={list.data?.total ?? 0}
          onStart={(next) => setQuery({ start: next === 0 ? undefined : String(next) })}
        />
      </Tabs>
    </>
  )
}
