import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Badge } from "../../ui/States.tsx"
import { useLive } from "../admin/Live.ts"
import { advice } from "./Advice.ts"

const t = text("lives")

type Figures = Output<"GET /api/v1/videos/live/:id/health">

const tenth = (value: number): number => Math.round(value * 10) / 10

const Facts = ({ it }: { readonly it: Figures }) => (
  <dl class="facts">
    <dt>{t("bitRate")}</dt>
    <dd>{t("mbit", { rate: number(Math.round(it.bitRate / 10_000) / 100) })}</dd>
    <dt>{t("frameRate")}</dt>
    <dd>{number(tenth(it.frameRate))}</dd>
    <dt>{t("keyframes")}</dt>
    <dd>{it.keyframeInterval === null ? "–" : t("seconds", { time: number(tenth(it.keyframeInterval)) })}</dd>
    <dt>{t("droppedFrames")}</dt>
    <dd>{number(it.droppedFrames)}</dd>
    {it.video !== null && (
      <>
        <dt>{t("image")}</dt>
        <dd>
          {it.video.width} × {it.video.height}, {it.video.codec}
        </dd>
      </>
    )}
    <dt>{t("sound")}</dt>
    <dd>{it.audio?.codec ?? t("none")}</dd>
    {it.outputs.length > 0 && (
      <>
        <dt>{t("outputs")}</dt>
        <dd>{it.outputs.map((height) => (height === 0 ? t("soundAlone") : `${height}p`)).join(", ")}</dd>
      </>
    )}
  </dl>
)

/** How the stream arrives, with what to do where it could arrive better. `short`: the live is to have a short delay. */
export const Health = ({ id, short }: { readonly id: number; readonly short: boolean }) => {
  const health = useLoad(`health ${id}`, (signal) =>
    call("GET /api/v1/videos/live/:id/health", { params: { id }, signal })
  )
  useLive(health.again)
  const it = health.data
  if (it === undefined) return null
  return (
    <section class="card stack" aria-labelledby="live-health">
      <h2 id="live-health">{t("health")}</h2>
      {it.connected ? (
        <Facts it={it} />
      ) : (
        <p>
          <Badge kind="warn">{t("cutOff")}</Badge> {t("cutOffText")}
        </p>
      )}
      {it.connected && advice(it, short).length > 0 && (
        <ul class="live-steps">
          {advice(it, short).map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
