import { useEffect, useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { beginBroadcast, broadcast, endBroadcast, ended } from "../../broadcast/Broadcast.ts"
import { type CaptureChoice, type Captured, captureFailure, captureSupport, capture } from "../../broadcast/Capture.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import type { PageProps } from "../../navigation/Page.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Badge, Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Devices } from "./Devices.tsx"
import { Preview } from "./Preview.tsx"

const t = text("broadcast")

interface Target {
  readonly name: string
  readonly shortUuid: string
  /** Undefined: this instance takes no streams from browsers, or the live has ended. */
  readonly send: { readonly address: string; readonly key: string } | undefined
}

/** Where the live is sent to. */
const loadTarget = async (id: string, signal: AbortSignal): Promise<Answer<Target>> => {
  const video = await call("GET /api/v1/videos/:id", { params: { id }, signal })
  if (!video.ok) return video
  const { isLive, name, shortUUID: shortUuid } = video.body
  if (!isLive) return { ...video, body: { name, shortUuid, send: undefined } }
  const live = await call("GET /api/v1/videos/live/:id", { params: { id }, signal })
  if (!live.ok) return live
  const { streamKey: key, whipUrl: address } = live.body
  const send = key === undefined || !address ? undefined : { address, key }
  return { ...live, body: { name, shortUuid, send } }
}

/** What is sent, with the button that ends it. */
const Sending = ({
  state,
  stream
}: {
  readonly stream: MediaStream
  readonly state: "connecting" | "on" | "interrupted"
}) => {
  const end = async (): Promise<void> => {
    if (await confirm({ title: t("endTitle"), text: t("endText"), action: t("end"), danger: true }))
      await endBroadcast()
  }
  return (
    <section class="card stack" aria-label={t("sending")}>
      <p class="live-now" role="status">
        <Badge kind={state === "on" ? "bad" : "warn"}>{t("state", { state })}</Badge>
        {t("stateText", { state })}
      </p>
      <Preview stream={stream} />
      <p class="f-help">{t("stays")}</p>
      <div class="acts">
        <Button kind="danger" icon="close" onClick={() => void end()}>
          {t("end")}
        </Button>
      </div>
    </section>
  )
}

/** What is to be sent: chosen, looked at, and begun. */
const Choosing = ({ id, target }: { readonly id: string; readonly target: NonNullable<Target["send"]> }) => {
  const [choice, setChoice] = useState<CaptureChoice>({ picture: "camera", camera: "", microphone: "" })
  const [captured, setCaptured] = useState<Captured>()
  const [failure, setFailure] = useState(captureSupport)
  const [busy, setBusy] = useState(false)
  // Camera and microphone are let go of when the page is left, unless they are sent.
  useEffect(
    () => () => {
      if (captured !== undefined && captured.stream !== broadcast.peek()?.stream) captured.stop()
    },
    [captured]
  )
  const look = async (next: CaptureChoice): Promise<void> => {
    setChoice(next)
    setFailure(undefined)
    setBusy(true)
    try {
      setCaptured(await capture(next))
    } catch (error) {
      setFailure(captureFailure(error))
      setCaptured(undefined)
    }
    setBusy(false)
  }
  const change = (changes: Partial<CaptureChoice>): void => {
    const next = { ...choice, ...changes }
    // A screen is asked for by a press of its button alone: browsers want one.
    if (captured !== undefined && next.picture === "camera") return void look(next)
    setChoice(next)
    setCaptured(undefined)
  }
  const begin = async (): Promise<void> => {
    if (captured === undefined) return
    setBusy(true)
    await beginBroadcast(id, target, captured)
    setBusy(false)
  }
  const isImpossible = failure === "insecure" || failure === "unsupported"
  return (
    <section class="card stack" aria-labelledby="broadcast-what">
      <h2 id="broadcast-what">{t("what")}</h2>
      <Devices choice={choice} disabled={isImpossible} known={captured !== undefined} onChange={change} />
      <p class="f-error" role="alert">
        {failure === undefined ? "" : t("failure", { failure })}
      </p>
      {captured !== undefined && <Preview stream={captured.stream} />}
      <p class="f-help">{t("size")}</p>
      <div class="acts">
        <Button
          icon="eye"
          busy={busy && captured === undefined}
          disabled={isImpossible}
          onClick={() => void look(choice)}
        >
          {t(choice.picture === "camera" ? "lookCamera" : "lookScreen")}
        </Button>
        {captured !== undefined && (
          <Button kind="primary" icon="live" busy={busy} onClick={() => void begin()}>
            {t("begin")}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Goes live from this browser: with a camera or a screen, and a microphone. */
export const Page = ({ params: { id = "" } }: PageProps) => {
  const { again, data, failure } = useLoad(`broadcast ${id}`, (signal) => loadTarget(id, signal))
  const now = broadcast.value
  const reason = ended.value
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{data?.name ?? ""}</p>
        </div>
        <div class="acts">
          <ButtonLink href={`/my/lives/${id}`} icon="live">
            {t("room")}
          </ButtonLink>
          {data !== undefined && (
            <ButtonLink href={`/w/${data.shortUuid}`} icon="play">
              {t("watch")}
            </ButtonLink>
          )}
        </div>
      </header>
      {failure !== undefined && data === undefined && (
        <LoadFailure reason={failureWords(failure)} onRetry={() => void again()} />
      )}
      {data === undefined && failure === undefined && <Skeleton rows={8} />}
      {now === undefined && reason !== undefined && (
        <p class="notice" role="alert">
          {t("ended", { reason })}
        </p>
      )}
      {now !== undefined && now.live !== id && <Empty icon="live" title={t("otherTitle")} text={t("otherText")} />}
      {now?.live === id && <Sending stream={now.stream} state={now.state} />}
      {data !== undefined && data.send === undefined && now === undefined && (
        <Empty icon="live" title={t("offTitle")} text={t("offText")} />
      )}
      {data?.send !== undefined && now === undefined && <Choosing id={id} target={data.send} />}
    </>
  )
}
