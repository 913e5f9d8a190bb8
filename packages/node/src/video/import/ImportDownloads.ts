import type { FetchError } from "@kinora/federation/fetch/FetchError"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { GuardedProxy } from "@kinora/federation/fetch/GuardedProxy"
import { TorrentDownloads } from "@kinora/torrent/download/TorrentDownloads"
import { YtDlp } from "@kinora/media/ytdlp/YtDlp"
import type { ImportedFacts, ImportTask } from "@kinora/storage/video/import/ImportWork"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { mkdir } from "node:fs/promises"
import { basename, join } from "node:path"
import { importedFacts, singleLine } from "./Cleaning.ts"
import { fetchFailed, ImportFailed, pageFailed, torrentFailed } from "./ImportFailed.ts"
import { ImportSettings } from "./ImportSettings.ts"

/** Maximum bytes of a file, and the error for a larger one. */
export interface SizeCap {
  readonly bytes: number
  readonly exceeded: ImportFailed
}

export interface Download {
  readonly task: ImportTask
  /** Absolute path of an empty folder. */
  readonly folder: string
  readonly cap: SizeCap
  /** Receives the progress from 0 to 1. Must not throw. */
  readonly progress: (fraction: number) => void
}

/** A downloaded file, not probed yet. */
export interface Downloaded {
  readonly path: string
  /** Its original name: only data, never a path. */
  readonly name: string
  readonly facts: ImportedFacts
  /** URL of a thumbnail, if there is one. */
  readonly pictureUrl: string | undefined
}

/** Content types of media files. What a file really contains is probed later. Playlists are not accepted as files. */
const mediaTypes = [
  "video/*",
  "audio/mpeg",
  "audio/mp3",
  "audio/mp4",
  "audio/x-m4a",
  "audio/ogg",
  "audio/webm",
  "audio/wav",
  "audio/x-wav",
  "audio/flac",
  "audio/x-flac",
  "audio/aac",
  "audio/ac3",
  "audio/x-ms-wma",
  "application/mp4",
  "application/ogg",
  "application/mxf",
  "application/x-matroska",
  "application/octet-stream",
  "binary/octet-stream"
]

/** Bytes of pages, scripts and repeated requests before a video and between its parts. */
const besides = 64 * 1024 ** 2

const nameOf = (text: string): string => singleLine(text, 1, 255) ?? "video"

const lastOf = (url: string): string =>
  URL.parse(url)
    ?.pathname.split("/")
    .findLast((part) => part !== "") ?? ""

const make = Effect.gen(function* () {
  const settings = yield* ImportSettings
  const fetcher = yield* GuardedFetch
  const proxies = yield* GuardedProxy
  const pages = yield* YtDlp
  const torrents = yield* TorrentDownloads

  const file = Effect.fnUntraced(function* (url: string, { cap, folder, progress }: Download) {
    const path = join(folder, "file")
    yield* fetcher.toFile(url, path, {
      types: mediaTypes,
      headers: { accept: "video/*, audio/*, */*;q=0.5" },
      maxBytes: cap.bytes,
      wholeMillis: Duration.toMillis(settings.timeout),
      progress: (written, expected) => {
        if (Option.isSome(expected) && expected.value > 0) progress(written / expected.value)
      }
    })
    return { path, name: nameOf(lastOf(url)), facts: {}, pictureUrl: undefined } satisfies Downloaded
  })

  const page = Effect.fnUntraced(function* (url: string, { cap, folder, progress }: Download) {
    const { url: proxy } = yield* proxies.open({ maxBytes: 2 * cap.bytes + besides, ipv4Only: settings.ipv4Only })
    const inside = join(folder, "page")
    yield* Effect.promise(() => mkdir(inside, { mode: 0o700 }))
    const toFailure = (error: Parameters<typeof pageFailed>[0]) => pageFailed(error, cap.exceeded)
    const external = yield* Effect.mapError(pages.describe({ url, proxy }), toFailure)
    if (external.isLive) return yield* new ImportFailed({ message: "The video is live, or has not begun" })
    const { path } = yield* Effect.mapError(
      pages.download({
        url,
        proxy,
        folder: inside,
        maxBytes: cap.bytes,
        maxHeight: settings.maxHeight,
        onProgress: (fraction) => Effect.sync(() => progress(fraction))
      }),
      toFailure
    )
    return {
      path,
      name: nameOf(external.title ?? basename(path)),
      facts: importedFacts(external),
      pictureUrl: external.thumbnailUrl
    } satisfies Downloaded
  }, Effect.scoped)

  /** Downloads the file at a URL. Other content may be the page of a video. */
  const address = (url: string, download: Download): Effect.Effect<Downloaded, ImportFailed> =>
    Effect.catch(file(url, download), (error: FetchError) =>
      error.reason._tag === "WrongType" ? page(url, download) : Effect.fail(fetchFailed(error, download.cap.exceeded))
    )

  const torrent = Effect.fnUntraced(function* (
    source: { readonly magnet: string } | { readonly torrent: Uint8Array },
    { cap, folder, progress }: Download
  ) {
    const path = join(folder, "file")
    const { name } = yield* Effect.mapError(
      torrents.download({
        source,
        file: path,
        maxBytes: cap.bytes,
        onProgress: (fraction) => Effect.sync(() => progress(fraction))
      }),
      (error) => torrentFailed(error, cap.exceeded)
    )
    return {
      path,
      name: nameOf(name),
      facts: { name: singleLine(name.replace(/\.[^.]{1,10}$/, ""), 3, 120) },
      pictureUrl: undefined
    } satisfies Downloaded
  })

  const fetch = Effect.fn("ImportDownloads.fetch")(function* (
    download: Download
  ): Effect.fn.Return<Downloaded, ImportFailed> {
    const { magnetUri, targetUrl, torrent: sent } = download.task
    if (targetUrl !== null) return yield* address(targetUrl, download)
    if (magnetUri !== null) return yield* torrent({ magnet: magnetUri }, download)
    if (sent !== null) return yield* torrent({ torrent: sent }, download)
    return yield* new ImportFailed({ message: "The import does not say where the video is" })
  })

  return ImportDownloads.of({ fetch })
})

/** Downloads the file of a video from elsewhere: a file at a URL, the video of a page, or that of a torrent. */
export class ImportDownloads extends Context.Service<
  ImportDownloads,
  {
    /** Interruption stops everything it started. All files are written to the folder. */
    readonly fetch: (download: Download) => Effect.Effect<Downloaded, ImportFailed>
  }
>()("@kinora/node/imports/ImportDownloads") {
  static readonly layer = Layer.effect(ImportDownloads, make)
}
