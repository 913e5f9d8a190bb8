import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { clock } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { loadMe, me } from "../../session/Me.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Switch } from "../../ui/Choices.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { report } from "../../ui/Outcome.ts"
import { Pager } from "../../ui/Pager.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("history")

const perPage = 30

type Watched = Output<"GET /api/v1/users/me/history/videos">["data"][number]

const Item = ({ onRemove, video }: { readonly video: Watched; readonly onRemove: () => void }) => {
  const stopped = video.userHistory?.currentTime ?? 0
  return (
    <li>
      <div class="v-name">
        <a class="v-thumb" href={`/w/${video.shortUUID}`} tabIndex={-1} aria-hidden="true">
          {video.thumbnailPath !== "" && (
            <img src={video.thumbnailPath} alt="" loading="lazy" width="128" height="72" />
          )}
          <span class="v-length">{clock(video.duration)}</span>
        </a>
        <div class="v-facts">
          <a href={`/w/${video.shortUUID}`}>{video.name}</a>
          <span>{video.channel.displayName}</span>
          {stopped > 0 && <span>{t("at", { at: clock(stopped), length: clock(video.duration) })}</span>}
        </div>
      </div>
      <span class="rows-acts">
        <Button kind="quiet" icon="close" label={t("remove", { name: video.name })} onClick={onRemove} />
      </span>
    </li>
  )
}

const Pause = () => {
  const remembers = me.value?.videosHistoryEnabled === true
  const set = async (videosHistoryEnabled: boolean): Promise<void> => {
    const answer = await call("PUT /api/v1/users/me", { body: { videosHistoryEnabled } })
    if (report(answer, t(videosHistoryEnabled ? "remembering" : "paused"))) await loadMe()
  }
  return (
    <Switch
      label={t("remember")}
      {...(remembers ? {} : { help: t("pausedText") })}
      checked={remembers}
      onChecked={(on) => void set(on)}
    />
  )
}

/** What the user has watched: found, forgotten one by one or all at once, and paused. */
export const Page = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  const start = Number(query.get("start") ?? 0) || 0
  const list = useLoad(`history ${search} ${start}`, (signal) =>
    call("GET /api/v1/users/me/history/videos", {
      query: { search: search === "" ? undefined : search, start, count: perPage },
      signal
    })
  )
  const videos = list.data?.data ?? []
  const isEmpty = list.data !== undefined && videos.length === 0
  const remove = async (video: Watched): Promise<void> => {
    const params = { videoIdOrUUID: video.uuid }
    const answer = await call("DELETE /api/v1/users/me/history/videos/:videoIdOrUUID", { params })
    if (report(answer, t("removed", { name: video.name }))) await list.again()
  }
  const clear = async (): Promise<void> => {
    const yes = await confirm({ title: t("clearAsk"), text: t("clearText"), action: t("clear"), danger: true })
    if (!yes) return
    const answer = await call("POST /api/v1/users/me/history/videos/remove", { body: {} })
    if (report(answer, t("cleared"))) await list.again()
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
        {!(isEmpty && search === "") && (
          <Button icon="trash" onClick={() => void clear()}>
            {t("clear")}
          </Button>
        )}
      </header>
      <div class="toolbar">
        {!(isEmpty && search === "") && (
          <SearchBox
            label={t("searchLabel")}
            value={search}
            onValue={(value) => setQuery({ search: value, start: undefined })}
          />
        )}
        <Pause />
      </div>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={8} />}
      {isEmpty && search === "" && (
        <Empty icon="film" title={t("emptyTitle")} text={t("emptyText")}>
          <ButtonLink href="/">{t("browse")}</ButtonLink>
        </Empty>
      )}
      {isEmpty && search !== "" && (
        <Empty icon="search" title={t("nothingTitle")} text={t("nothingText", { search })} />
      )}
      {videos.length > 0 && (
        <ul class="card rows" aria-label={t("list")} aria-busy={list.busy}>
          {videos.map((it) => (
            <Item key={it.uuid} video={it} onRemove={() => void remove(it)} />
          ))}
        </ul>
      )}
      <Pager
        start={start}
        count={perPage}
        total={list.data?.total ?? 0}
        onStart={(next) => setQuery({ start: next === 0 ? undefined : String(next) })}
      />
    </>
  )
}
