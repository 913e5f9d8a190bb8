import { element, iconButton } from "../Dom.ts"
import { messages } from "../Messages.ts"
import type { Player } from "../PlayerInterface.ts"
import { bufferAhead } from "../SeekBar.ts"

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
  const bandwidth = feed?.bandwidth()
  const { droppedVideoFrames, totalVideoFrames } = video.getVideoPlaybackQuality()
  const shown = Math.round(video.clientWidth * devicePixelRatio)
  return [
    [messages.playedBy, feed?.kind ?? ""],
    [messages.codec, feed?.codec() ?? ""],
    [messages.resolution, `${video.videoWidth}×${video.videoHeight} ${feed?.current()?.label ?? ""}`],
    [messages.viewport, `${shown}×${Math.round(video.clientHeight * devicePixelRatio)}`],
    [messages.droppedFrames, `${droppedVideoFrames} / ${totalVideoFrames}`],
    [messages.buffer, messages.seconds(Number(bufferAhead(video).toFixed(1)))],
    [messages.bandwidth, bandwidth === undefined || Number.isNaN(bandwidth) ? "" : mbit(bandwidth)],
    [messages.protocol, protocolOf()],
    [messages.volume, messages.percent(video.muted ? 0 : video.volume)]
  ]
}

/** Shows figures about what plays over the picture, or takes them away. */
export const toggleStatistics = (player: Player): void => {
  const { root } = player
  const shown = root.querySelector<HTMLElement>(".kp-statistics")
  if (shown !== null) return shown.remove()
  const list = element("dl", {})
  const close = iconButton("close", messages.close, "kp-statistics-close")
  const box = element("section", { class: "kp-statistics", "aria-label": messages.statistics }, close, list)
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
