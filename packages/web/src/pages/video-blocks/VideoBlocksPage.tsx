import { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Empty } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { actOnAll } from "../admin/Acts.ts"
import { Filter, ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { TextDialog, type TextQuestion } from "../admin/TextDialog.tsx"
import { columns } from "./Columns.tsx"
import { noteQuestion, reasonQuestion, unblock, type VideoBlock, waits } from "./VideoBlocks.ts"

const t = text("blocks")

const types = [VideoBlockType.manual, VideoBlockType.automatic, VideoBlockType.tagPolicy] as const
const orders = ["createdAt", "name", "-name"] as const

/** Has videos seen again once the person has said yes. Whether any of them is. */
const unblockAll = async (blocks: ReadonlyArray<VideoBlock>): Promise<boolean> => {
  const count = blocks.length
  const review = blocks.every(waits)
  const yes = await confirm({
    title: review ? t("acceptAsk", { count }) : t("unblockAsk", { count }),
    text: t("unblockText", { count }),
    action: review ? t("accept") : t("unblock")
  })
  if (!yes) return false
  return await actOnAll(blocks, unblock, (went) => t("unblocked", { count: went }))
}

/** Videos that moderators blocked, and those that wait for a review. */
export const Page = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const type = types.find((it) => String(it) === query.get("type"))
  const sort = orders.find((it) => it === query.get("sort")) ?? "-createdAt"
  const start = startOfPage()
  const [question, setQuestion] = useState<TextQuestion>()
  const list = useLoad(`blocked videos ${search} ${type} ${sort} ${start}`, (signal) =>
    call("GET /api/v1/videos/blacklist", {
      query: { search: search === "" ? undefined : search, type, sort, start, count: perPage },
      signal
    })
  )
  const release = (blocks: ReadonlyArray<VideoBlock>, done: () => void): void => {
    void unblockAll(blocks).then((went) => {
      if (went) done()
    })
  }
  const filtered = search !== "" || type !== undefined
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <ListView
        label={t("title")}
        list={list}
        columns={columns({
          unblock: (it) => release([it], () => void list.again()),
          reason: (it) => setQuestion(reasonQuestion(it)),
          note: (it) => setQuestion(noteQuestion(it))
        })}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.video.name}
        sort={sort}
        tools={
          <>
            <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setFilter({ search: value })} />
            <Filter
              label={t("type")}
              name="type"
              options={types.map((it) => ({ value: String(it), label: t("typeName", { type: it }) }))}
            />
          </>
        }
        bulk={(blocks, done) => (
          <Button small icon="check" onClick={() => release(blocks, done)}>
            {blocks.every(waits) ? t("accept") : t("unblock")}
          </Button>
        )}
        empty={
          filtered ? (
            <Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />
          ) : (
            <Empty icon="ban" title={t("emptyTitle")} text={t("emptyText")} />
          )
        }
      />
      {question !== undefined && (
        <TextDialog question={question} onClose={() => setQuestion(undefined)} onDone={() => void list.again()} />
      )}
    </>
  )
}
