import { Context, type Duration, Effect, Layer } from "effect"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"

export interface ImportSettingsShape {
  /** Whether videos may be imported from addresses. */
  readonly http: boolean
  /** Whether torrents and magnet links may be imported. */
  readonly torrent: boolean
  /** Imports at the same time. */
  readonly concurrency: number
  /** What one attempt may take. */
  readonly timeout: Duration.Duration
  /** Absolute folder for files on their way. Its contents are deleted at start. */
  readonly directory: string
  /** Whether pages are read, and their videos fetched, over IPv4 alone. */
  readonly ipv4Only: boolean
  /** Most lines of a picture worth fetching where there is a choice. */
  readonly maxHeight: number
}

const linesOf = (enabled: Readonly<Record<string, boolean>>): ReadonlyArray<number> =>
  Object.entries(enabled)
    .filter(([, on]) => on)
    .map(([name]) => Number.parseInt(name, 10))

/** Lines fetched when nothing is made smaller here. */
const original = 2160

/** Imports one user may have waiting and running. */
export const maxOpenImports = 100

/** Attempts one import gets. */
export const maxAttempts = 5

/** How videos are imported. */
export class ImportSettings extends Context.Service<ImportSettings, ImportSettingsShape>()(
  "@kinora/node/imports/ImportSettings"
) {
  static readonly layer = Layer.effect(
    ImportSettings,
    Effect.map(KinoraConfig, ({ import: { videos }, storage, transcoding }) => ({
      http: videos.http.enabled,
      torrent: videos.torrent.enabled,
      concurrency: videos.concurrency,
      timeout: videos.timeout,
      directory: join(storage.tmp, "imports"),
      ipv4Only: videos.http.force_ipv4,
      maxHeight: transcoding.enabled ? Math.max(480, ...linesOf(transcoding.resolutions)) : original
    }))
  )
}
