import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState } from "@kinora/domain/enums/VideoState"
import { useEffect, useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { Button } from "../../ui/Button.tsx"
import { Badge, Progress } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import type { MyVideo } from "./Videos.ts"

const t = text("videos")
const form = text("form")

/** Between two looks at what is being processed, while the page is looked at. */
const lookEvery = 3000

type Work = Output<"GET /api/v1/videos/:id/processing">

const isWorking = (state: number): boolean =>
  state === VideoState.toTranscode || state === VideoState.transcodingFailed || state === VideoState.toImport

/** How the work on a video's files stands, looked at again and again until it is done. */
const Processing = ({ onDone, video }: { readonly video: MyVideo; readonly onDone: () => void }) => {
  const [work, setWork] = useState<Work>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = new AbortController()
    const look = async (): Promise<void> => {
      const answer = document.hidden
        ? undefined
        : await call("GET /api/v1/videos/:id/processing", { params: { id: video.id }, signal: abort.signal })
      if (abort.signal.aborted) return
      if (answer?.ok === true) setWork(answer.body)
      if (answer?.body?.state === "done") onDone()
      else timer = setTimeout(() => void look(), lookEvery)
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [video.id])
  const retry = async (): Promise<void> => {
    const answer = await call("POST /api/v1/videos/:id/processing/retry", { params: { id: video.id } })
    if (answer.ok) setWork(undefined)
    else toast(failureWords(answer), "failed")
  }
  if (work?.state === "failed") {
    return (
      <div class="v-work">
        <Badge kind="bad">{t("processingFailed")}</Badge>
        {work.error !== null && <span class="v-why">{work.error}</span>}
        <Button small icon="retry" onClick={() => void retry()}>
          {t("retry")}
        </Button>
      </div>
    )
  }
  return (
    <div class="v-work">
      <span>{work?.state === "waiting" ? t("waiting") : t("processing", { part: (work?.progress ?? 0) / 100 })}</span>
      <Progress label={t("processingOf", { name: video.name })} value={work?.progress ?? undefined} max={100} />
    </div>
  )
}

/** Where a live is. */
const LiveState = ({ state }: { readonly state: number }) =>
  state === VideoState.waitingForLive ? (
    <Badge kind="warn">{t("liveWaiting")}</Badge>
  ) : state === VideoState.liveEnded ? (
    <Badge>{t("liveEnded")}</Badge>
  ) : (
    <Badge kind="bad">{t("liveOn")}</Badge>
  )

/** Who may see a video, and what is being done with it. */
export const State = ({ video }: { readonly video: MyVideo }) => {
  const [done, setDone] = useState(false)
  const working = !done && isWorking(video.state?.id ?? VideoState.published)
  const scheduled = video.scheduledUpdate?.updateAt
  return (
    <div class="v-state">
      <Badge kind={video.privacy.id === VideoPrivacy.public ? "good" : "plain"}>
        {form("privacyName", { id: video.privacy.id })}
      </Badge>
      {video.isLive && <LiveState state={video.state?.id ?? VideoState.published} />}
      {video.blacklisted === true && <Badge kind="bad">{t("blocked")}</Badge>}
      {scheduled !== undefined && <span class="v-when">{t("scheduled", { at: moment(scheduled) })}</span>}
      {working && <Processing video={video} onDone={() => setDone(true)} />}
    </div>
  )
}
