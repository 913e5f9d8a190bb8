import { LiveLatencyMode } from "@kinora/domain/enums/Live"
import { VideoState } from "@kinora/domain/enums/VideoState"
import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { report } from "../../ui/Outcome.ts"
import { Badge, Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { useLive } from "../admin/Live.ts"
import { Address } from "./Address.tsx"
import { ChangeSettings } from "./ChangeSettings.tsx"
import { Marks } from "./Marks.tsx"
import { Health } from "./Health.tsx"
import type { Live } from "./LiveFields.ts"
import { stateOf } from "./LiveWords.ts"
import { type Session, Sessions } from "./Sessions.tsx"

const t = text("lives")

interface Room {
  readonly video: Output<"GET /api/v1/videos/:id">
  /** Undefined once it has become an ordinary video. */
  readonly live: Live | undefined
  readonly sessions: ReadonlyArray<Session>
}

/** A live with what its maker alone sees of it. */
const loadRoom = async (id: string, signal: AbortSignal): Promise<Answer<Room>> => {
  const video = await call("GET /api/v1/videos/:id", { params: { id }, signal })
  if (!video.ok) return video
  if (!video.body.isLive) {
    const session = await call("GET /api/v1/videos/:id/live-session", { params: { id }, signal })
    return { ...video, body: { video: video.body, live: undefined, sessions: session.ok ? [session.body] : [] } }
  }
  const [live, sessions] = await Promise.all([
    call("GET /api/v1/videos/live/:id", { params: { id }, signal }),
    call("GET /api/v1/videos/live/:id/sessions", { params: { id }, query: { sort: "-startDate" }, signal })
  ])
  if (!live.ok) return live
  if (!sessions.ok) return sessions
  return { ...live, body: { video: video.body, live: live.body, sessions: sessions.body.data } }
}

/** It is an ordinary video, whose files are there: nothing more happens by itself. */
const isSettled = ({ live, sessions, video }: Room): boolean =>
  live === undefined &&
  video.state.id === VideoState.published &&
  sessions.every(({ endingProcessed }) => endingProcessed)

const State = ({ live, sessions, video }: Room) => {
  const next = live?.schedules.find(({ startAt }) => Date.parse(startAt) > Date.now())
  switch (stateOf(video.isLive, video.state.id)) {
    case "on":
      return (
        <p class="live-now" role="status">
          <Badge kind="bad">{t("stateOn")}</Badge>
          {t("viewers", { count: video.viewers })}
          {sessions[0] !== undefined && <span>{t("since", { at: moment(sessions[0].startDate) })}</span>}
        </p>
      )
    case "waiting":
      return (
        <p class="live-now" role="status">
          <Badge kind="warn">{t("stateWaiting")}</Badge>
          {next === undefined ? t("waitingText") : t("announced", { at: moment(next.startAt) })}
        </p>
      )
    case "ended":
      return (
        <p class="live-now" role="status">
          <Badge>{t("stateEnded")}</Badge>
          {live?.saveReplay === true ? t("replayMaking") : t("endedText")}
        </p>
      )
    case "replay":
      return (
        <p class="live-now" role="status">
          <Badge kind="good">{t("stateReplay")}</Badge>
        </p>
      )
  }
}

const EndButton = ({ onEnded, video }: { readonly video: Room["video"]; readonly onEnded: () => Promise<void> }) => {
  const [busy, setBusy] = useState(false)
  const end = async (): Promise<void> => {
    const yes = await confirm({ title: t("endTitle"), text: t("endText"), action: t("end"), danger: true })
    if (!yes) return
    setBusy(true)
    if (report(await call("POST /api/v1/videos/live/:id/end", { params: { id: video.id } }), t("isEnded"))) {
      await onEnded()
    }
    setBusy(false)
  }
  return (
    <Button kind="danger" icon="close" busy={busy} onClick={() => void end()}>
      {t("end")}
    </Button>
  )
}

/** Where a maker runs a live: how it stands, where to send to, its settings, and its sessions with their replays. */
export const Page = ({ params: { id = "" } }: PageProps) => {
  const { again, data, failure } = useLoad(`live ${id}`, (signal) => loadRoom(id, signal))
  useLive(async () => {
    if (data !== undefined && !isSettled(data)) await again()
  })
  const state = data === undefined ? undefined : stateOf(data.video.isLive, data.video.state.id)
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{data === undefined ? t("roomTitle") : data.video.name}</h1>
          {data !== undefined && <State {...data} />}
        </div>
        {data !== undefined && (
          <div class="acts">
            <ButtonLink href={`/my/videos/${data.video.shortUUID}`} icon="pencil">
              {t("edit")}
            </ButtonLink>
            <ButtonLink href={`/w/${data.video.shortUUID}`} icon="play">
              {t("watch")}
            </ButtonLink>
            {state === "on" && <EndButton video={data.video} onEnded={again} />}
          </div>
        )}
      </header>
      {failure !== undefined && data === undefined && (
        <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />
      )}
      {data === undefined && failure === undefined && <Skeleton rows={8} />}
      {data !== undefined && state === "replay" && (
        <div class="stack">
          <Empty icon="film" title={t("replayTitle")} text={t("replayText")} />
          <Sessions sessions={data.sessions} />
        </div>
      )}
      {data?.live !== undefined && (
        <div class="stack">
          {state === "on" && <Health id={data.video.id} short={data.live.latencyMode === LiveLatencyMode.small} />}
          {state === "on" && data.live.saveReplay && <Marks id={data.video.id} />}
          {state !== "ended" && (
            <Address id={data.video.id} room={id} live={data.live} isOn={state === "on"} onChanged={again} />
          )}
          {state === "waiting" && <ChangeSettings id={data.video.id} live={data.live} onSaved={again} />}
          <Sessions sessions={data.sessions} />
        </div>
      )}
    </>
  )
}
