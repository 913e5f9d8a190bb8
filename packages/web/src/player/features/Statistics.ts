import { element, iconButton } from "../Dom.ts"
import { pageText } from "../../i18n/PageText.ts"
import { messages } from "../../messages/en/playerStatistics.ts"
import { t } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import { bufferAhead } from "../SeekBar.ts"

const figure = pageText("playerStatistics", messages)

const interval = 1_000

const mbit = (bits: number) => `${(bits / 1_000_000).toFixed(1)} Mbit/s`

/** The protocol of the newest file of the video that this page fetched, such as `h2`. */
const protocolOf = (): string => {
  const files = performance
    .getEntriesByType("resource")
    .filter((it) => it instanceof PerformanceResourceTiming)
    .filter((it) => /\.(?:mp4|m4s|ts|m3u8|webm)(?:\?|$)/.test(it.name))
  return files.at(-1)?.nextHopProtocol ?? ""
}

const rows = ({ source, video }: Player): ReadonlyArray<readonly [string, string]> => {
  const feed = source()
  const latency = feed?.live?.()?.latency
  const bandwidth = feed?.bandwidth()
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality()
  const shown = Math.round(video.clientWidth * devicePixelRatio)
  return [
    [figure("playedBy"), feed?.kind ?? ""],
    [figure("codec"), feed?.codec() ?? ""],
    [figure("resolution"), `${video.videoWidth}×${video.videoHeight} ${feed?.current()?.label ?? ""}`],
    [figure("viewport"), `${shown}×${Math.round(video.clientHeight * devicePixelRatio)}`],
    [figure("droppedFrames"), `${droppedVideoFrames} / ${totalVideoFrames}`],
    [figure("buffer"), t("seconds", { count: Number(bufferAhead(video).toFixed(1)) })],
    [figure("bandwidth"), bandwidth === undefined || Number.isNaN(bandwidth) ? "" : mbit(bandwidth)],
    [figure("latency"), latency === undefined ? "" : t("seconds", { count: Number(latency.toFixed(1)) })],
    [figure("protocol"), protocolOf()],
    [t("volume"), t("percent", { share: video.muted ? 0 : Math.round(video.volume * 100) })]
  ]
}

/** Shows figures about what plays over the picture, or takes them away. */
export const toggleStatistics = (player: Player): void => {
  const { root } = player
  const shown = root.querySelector<HTMLElement>(".kp-statistics")
  if (shown !== null) return shown.remove()
  const list = element("dl", {})
  const close = iconButton("close", t("close"), "kp-statistics-close")
  const box = element("section", { class: "kp-statistics", "aria-label": t("statistics") }, close, list)
  const draw = () =>
    list.replaceChildren(
      ...rows(player)
        .filter(([, value]) => value.trim() !== "")
        .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])
    )
  const timer = setInterval(() => (box.isConnected ? draw() : clearInterval(timer)), interval)
  close.addEventListener("click", () => box.remove())
  draw()
  root.append(box)
}
