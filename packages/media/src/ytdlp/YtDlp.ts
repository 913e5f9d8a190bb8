import { Context, Duration, Effect, FileSystem, Layer, Option, Path, Redacted, Semaphore } from "effect"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { Tools } from "../tools/Tools.ts"
import { readExternalVideo, readListedVideos } from "./ExternalRaw.ts"
import type { ExternalVideo, ListedVideo } from "./ExternalVideo.ts"
import { describeArguments, downloadArguments, downloadName, listArguments, progressMark } from "./YtDlpArguments.ts"
import { complaint } from "./YtDlpComplaint.ts"
import { ExternalTooLarge, ExternalUnusable, type YtDlpError } from "./YtDlpErrors.ts"
import { YtDlpProcess } from "./YtDlpProcess.ts"
import { YtDlpProgram } from "./YtDlpProgram.ts"

/** A URL to read. */
export interface YtDlpRequest {
  /** https. */
  readonly url: string
  /** `ProxyRun.url` of a `GuardedProxy`: the program's only network access. */
  readonly proxy: Redacted.Redacted<string>
}

export interface YtDlpDownload extends YtDlpRequest {
  /** Absolute path of an empty folder for this run: nothing is written elsewhere. The caller removes it in any case. */
  readonly folder: string
  /** Limit of the file's size. */
  readonly maxBytes: number
  /** Maximum height; taller formats are used only if there are no others. */
  readonly maxHeight: number
  /** 0 to 1, never less than before. */
  readonly onProgress?: (fraction: number) => Effect.Effect<void>
}

export interface YtDlpList extends YtDlpRequest {
  /** Only this many, in the order of the page: most list the newest first. */
  readonly count: number
}

/** Pages that are read at the same time. Further requests wait. */
const atATime = 4

/** Number of sublists that are read. */
const maxLists = 3

/** Bytes allowed above `maxBytes` during the download: the size is checked again at the end. */
const slack = 64 * 1024

/** The fraction in a progress line. */
const fractionOf = (line: string): number | undefined => {
  const [mark, done, all, estimated] = line.trim().split(" ")
  if (mark !== progressMark) return undefined
  const total = Number(all) > 0 ? Number(all) : Number(estimated)
  const fraction = Number(done) / total
  return Number.isFinite(fraction) && fraction >= 0 ? Math.min(1, fraction) : undefined
}

/**
 * The program yt-dlp, if installed: reads metadata of videos on external pages, and downloads them. It runs without
 * configuration, plugins, cookies, post-processors and other downloaders, confined as far as the machine permits.
 * Interruption ends it and all processes it started.
 */
export class YtDlp extends Context.Service<
  YtDlp,
  {
    /** Its version. None if it cannot be used. */
    readonly version: Effect.Effect<Option.Option<string>>
    /** The metadata of a page's video; of the first one if there are several. */
    describe(request: YtDlpRequest): Effect.Effect<ExternalVideo, YtDlpError>
    /** Downloads the video of a page into `folder`, preferably as mp4 with h264. */
    download(request: YtDlpDownload): Effect.Effect<{ readonly path: string }, YtDlpError>
    /** The videos of a channel, playlist or feed. A page with one video is a list of one. */
    list(request: YtDlpList): Effect.Effect<ReadonlyArray<ListedVideo>, YtDlpError>
  }
>()("@kinora/media/ytdlp/YtDlp") {
  /** Needs the tools of `Media.layer`. */
  static readonly layerNoDeps = Layer.effect(
    YtDlp,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const program = yield* YtDlpProgram
      const processes = yield* YtDlpProcess
      const tools = yield* Tools
      const settings = yield* MediaSettings
      const turns = yield* Semaphore.make(atATime)

      const ffmpegPath = Effect.option(tools.path("ffmpeg"))

      /** Our ffmpeg, and the files needed to run it. */
      const helpers = Effect.map(ffmpegPath, (ffmpeg) => ({
        ffmpeg: Option.getOrUndefined(ffmpeg),
        reads: Option.match(ffmpeg, { onNone: () => [], onSome: (file) => [path.dirname(file)] })
      }))

      /** The reason of a failure. Its full output goes to the operator's log. */
      const refusal = Effect.fnUntraced(function* (url: string, words: ReadonlyArray<string>, maxBytes: number) {
        yield* Effect.logDebug(`yt-dlp failed at ${url}`, words)
        return yield* complaint(words, maxBytes)
      })

      const temporary = Effect.orDie(fs.makeTempDirectoryScoped({ prefix: "kinora-ytdlp-" }))

      /** The output lines that are JSON. */
      const ask = Effect.fnUntraced(
        function* (args: ReadonlyArray<string>, request: YtDlpRequest, timeout: Duration.Duration) {
          const folder = yield* temporary
          const { reads } = yield* helpers
          const lines: Array<string> = []
          const end = yield* processes.run({
            args,
            proxy: request.proxy,
            port: portOf(request.proxy),
            folder,
            fileSize: 16 * 1024 ** 2,
            timeout,
            reads,
            onLine: (line) => Effect.sync(() => void (line.startsWith("{") && lines.push(line)))
          })
          // A list may contain unreadable entries in addition to readable ones.
          return end.succeeded || lines.length > 0 ? lines : yield* refusal(request.url, end.words, 0)
        },
        Effect.scoped,
        turns.withPermits(1)
      )

      const describe = Effect.fn("YtDlp.describe")(function* (request: YtDlpRequest) {
        const { ffmpeg } = yield* helpers
        const [line] = yield* ask(describeArguments(request.url, ffmpeg), request, settings.externalTimeout)
        const video = line === undefined ? undefined : readExternalVideo(line, request.url)
        return video ?? (yield* new ExternalUnusable({ reason: "none" }))
      })

      const list = Effect.fn("YtDlp.list")(function* (request: YtDlpList) {
        const found = new Map<string, ListedVideo>()
        // Long lists have many pages.
        const timeLimit = Duration.times(settings.externalTimeout, Math.max(1, Math.ceil(request.count / 200)))
        const look = (url: string) =>
          Effect.map(ask(listArguments(url, request.count), request, timeLimit), readListedVideos).pipe(
            Effect.tap(({ videos }) => Effect.sync(() => videos.forEach((it) => found.set(it.url, it))))
          )
        const { lists } = yield* look(request.url)
        for (const inner of lists.slice(0, maxLists)) {
          if (found.size < request.count) yield* look(inner)
        }
        return [...found.values()].slice(0, request.count)
      })

      /** The one output file. */
      const result = Effect.fnUntraced(
        function* (request: YtDlpDownload, words: ReadonlyArray<string>) {
          const names = yield* fs.readDirectory(request.folder)
          const name = names.find(
            (it) =>
              it.startsWith(`${downloadName}.`) &&
              /^[a-z]+\.[A-Za-z0-9_]+$/.test(it) &&
              !/\.(?:part|ytdl|temp)$/.test(it)
          )
          if (name === undefined) return yield* refusal(request.url, words, request.maxBytes)
          const file = path.join(request.folder, name)
          // Only our own child could have made it a link, and that is confined to the folder. A link is refused anyway.
          const real = yield* fs.realPath(file)
          const info = yield* fs.stat(file)
          if (info.type !== "File" || path.basename(real) !== name)
            return yield* new ExternalUnusable({ reason: "none" })
          if (Number(info.size) > request.maxBytes) return yield* new ExternalTooLarge({ maxBytes: request.maxBytes })
          return { path: file }
        },
        Effect.catchTag("PlatformError", Effect.die)
      )

      const download = Effect.fn("YtDlp.download")(function* (request: YtDlpDownload) {
        const { ffmpeg, reads } = yield* helpers
        let reached = 0
        const end = yield* processes.run({
          args: downloadArguments(request, ffmpeg),
          proxy: request.proxy,
          port: portOf(request.proxy),
          folder: request.folder,
          fileSize: request.maxBytes + slack,
          timeout: settings.externalDownloadTimeout,
          reads,
          onLine: (line) => {
            const fraction = fractionOf(line)
            if (fraction === undefined || fraction <= reached) return Effect.void
            reached = fraction
            return request.onProgress?.(fraction) ?? Effect.void
          }
        })
        if (!end.succeeded) return yield* refusal(request.url, end.words, request.maxBytes)
        return yield* result(request, end.words)
      })

      return YtDlp.of({
        version: Effect.map(
          Effect.option(program.find),
          Option.map((found) => found.version)
        ),
        describe,
        download,
        list
      })
    })
  )

  static readonly layer = YtDlp.layerNoDeps.pipe(
    Layer.provide(YtDlpProcess.layer),
    Layer.provideMerge(YtDlpProgram.layer)
  )
}

function portOf(proxy: Redacted.Redacted<string>): number {
  return Number(new URL(Redacted.value(proxy)).port)
}
