import { Context, type Duration, Effect, Layer } from "effect"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"

export interface ImportSettingsShape {
  /** Whether videos may be imported from URLs. */
  readonly http: boolean
  /** Whether torrents and magnet links may be imported. */
  readonly torrent: boolean
  /** Imports that run at the same time. */
  readonly concurrency: number
  /** Time limit of one attempt. */
  readonly timeout: Duration.Duration
  /** Absolute folder for downloads. Its contents are deleted on start. */
  readonly directory: string
  /** Whether pages and videos are fetched over IPv4 only. */
  readonly ipv4Only: boolean
  /** Maximum height to download, if there is a choice. */
  readonly maxHeight: number
}

const linesOf = (enabled: Readonly<Record<string, boolean>>): ReadonlyArray<number> =>
  Object.entries(enabled)
    .filter(([, on]) => on)
    .map(([name]) => Number.parseInt(name, 10))

/** Height that is downloaded if nothing is transcoded here. */
const original = 2160

/** Maximum number of unfinished imports per user. */
export const maxOpenImports = 100

/** Maximum number of attempts per import. */
export const maxAttempts = 5

/** How videos are imported. What administrators change is read anew each time: take nothing out of it beforehand. */
export class ImportSettings extends Context.Service<ImportSettings, ImportSettingsShape>()(
  "@kinora/node/imports/ImportSettings"
) {
  static readonly layer = Layer.effect(
    ImportSettings,
    Effect.map(KinoraConfig, ({ import: { videos }, storage, transcoding }) => ({
      get http() {
        return videos.http.enabled
      },
      get torrent() {
        return videos.torrent.enabled
      },
      get concurrency() {
        return videos.concurrency
      },
      timeout: videos.timeout,
      directory: join(storage.tmp, "imports"),
      ipv4Only: videos.http.force_ipv4,
      get maxHeight() {
        return transcoding.enabled ? Math.max(480, ...linesOf(transcoding.resolutions)) : original
      }
    }))
  )
}
