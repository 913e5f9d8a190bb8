import type { PlaybackMetricCreate } from "@kinora/domain/requests/InstanceRequests"
import { Context, Layer } from "effect"
import type { MetricFamily } from "../../platform/http/MetricsText.ts"

/** Heights with their own label. Unknown ones share one label, so that clients cannot create many. */
const heights: ReadonlySet<number> = new Set([0, 144, 240, 360, 480, 720, 1080, 1440, 2160])

interface Series {
  readonly labels: Readonly<Record<string, string>>
  reports: number
  errors: number
  resolutionChanges: number
  stalls: number
  peers: number
  fromPeers: number
  overHttp: number
  toPeers: number
}

const counters: ReadonlyArray<readonly [name: string, help: string, of: (series: Series) => number]> = [
  ["reports", "Reports of players", (it) => it.reports],
  ["errors", "Errors of players", (it) => it.errors],
  ["resolution_changes", "Changes of resolution", (it) => it.resolutionChanges],
  ["stalls", "Times a player ran out of video", (it) => it.stalls],
  ["peers", "Peers of players, added up over reports", (it) => it.peers],
  ["peer_downloaded_bytes", "Bytes players got from each other", (it) => it.fromPeers],
  ["http_downloaded_bytes", "Bytes players got from servers", (it) => it.overHttp],
  ["peer_uploaded_bytes", "Bytes players gave each other", (it) => it.toPeers]
]

/** Playback as players report it: counters by player, resolution and whether peers are used. */
export class PlaybackMetrics extends Context.Service<
  PlaybackMetrics,
  {
    readonly record: (report: PlaybackMetricCreate) => void
    readonly families: () => ReadonlyArray<MetricFamily>
  }
>()("@kinora/node/stats/PlaybackMetrics") {
  static readonly layer = Layer.sync(PlaybackMetrics, () => {
    const all = new Map<string, Series>()

    const seriesOf = ({ p2pEnabled, playerMode, resolution }: PlaybackMetricCreate): Series => {
      const known =
        resolution === undefined || resolution === null
          ? "unknown"
          : heights.has(resolution)
            ? String(resolution)
            : "other"
      const key = `${playerMode} ${known} ${p2pEnabled}`
      const found = all.get(key)
      if (found !== undefined) return found
      const labels = { player: playerMode, resolution: known, p2p: String(p2pEnabled) }
      const made: Series = {
        labels,
        reports: 0,
        errors: 0,
        resolutionChanges: 0,
        stalls: 0,
        peers: 0,
        fromPeers: 0,
        overHttp: 0,
        toPeers: 0
      }
      all.set(key, made)
      return made
    }

    return PlaybackMetrics.of({
      record: (report) => {
        const series = seriesOf(report)
        series.reports += 1
        series.errors += report.errors
        series.resolutionChanges += report.resolutionChanges
        series.stalls += report.bufferStalled ?? 0
        series.peers += report.p2pPeers ?? 0
        series.fromPeers += report.downloadedBytesP2P
        series.overHttp += report.downloadedBytesHTTP
        series.toPeers += report.uploadedBytesP2P
      },
      families: () =>
        counters.map(([name, help, of]) => ({
          name: `kinora_playback_${name}_total`,
          help,
          type: "counter" as const,
          samples: [...all.values()].map((series) => ({ labels: series.labels, value: of(series) }))
        }))
    })
  })
}
