import { FileNotFound, VideoFileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoUuid } from "@kinora/domain/ids/VideoUuid"
import { isFileName } from "@kinora/domain/fields/FileName"
import { type DownloadableFile, DownloadRows } from "@kinora/storage/video/download/DownloadRows"
import type { VideoAccess as VideoRow } from "@kinora/storage/video/read/VideoReads"
import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { RemoteCopies } from "../file/RemoteCopies.ts"
import { fileType } from "../../platform/http/FileTypes.ts"
import { answer } from "../../platform/http/Answer.ts"
import { cachePolicies } from "../../platform/http/ByteServing.ts"
import { decide } from "../list/VideoVisibility.ts"
import { attachment, savedName } from "./Attachment.ts"
import { chooseFiles } from "./ChosenFiles.ts"
import { DownloadCounts } from "./DownloadCounts.ts"
import { readFileAddress, readGenerated } from "./DownloadFields.ts"
import { DownloadGate } from "./DownloadGate.ts"
import { FetchedVideos } from "./FetchedVideos.ts"
import { MuxedVideos } from "./MuxedVideos.ts"
import { type SavedAs, SavedFiles } from "./SavedFiles.ts"

type Request = HttpServerRequest.HttpServerRequest

const byUuid = (uuid: string): VideoIdOrUuid => ({ _tag: "Uuid", uuid: uuid as VideoUuid })

const label = (resolution: number): string => (resolution === 0 ? "audio" : `${resolution}p`)

/** Files under these URLs may be replaced, so caches must revalidate. Restricted downloads must not be cached. */
const cacheControl = (video: VideoRow): string =>
  decide(video, Option.none(), "uuid") === "open" && video.downloadEnabled
    ? cachePolicies.revalidate
    : cachePolicies.private

const typeOf = ({ extension, hasVideo }: DownloadableFile): string =>
  hasVideo || extension !== ".mp4" ? fileType(extension) : "audio/mp4"

/** Audio alone is saved with the extension that players expect. */
const endingOf = ({ extension, hasVideo }: DownloadableFile): string =>
  hasVideo || extension !== ".mp4" ? extension : ".m4a"

const savedAs = (video: VideoRow, file: DownloadableFile): SavedAs => ({
  contentType: typeOf(file),
  contentDisposition: attachment(savedName(file.videoName, `-${label(file.resolution)}${endingOf(file)}`)),
  cacheControl: cacheControl(video)
})

/** Headers of an answer that has no ranges. */
const wholeAnswer = ({ cacheControl, contentDisposition, contentType }: SavedAs): Record<string, string> => ({
  "content-type": contentType,
  "content-disposition": contentDisposition,
  "cache-control": cacheControl,
  "accept-ranges": "none"
})

/** Downloads of video files (contract: Video Download). */
export const DownloadHttp = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const rows = yield* DownloadRows
    const gate = yield* DownloadGate
    const files = yield* SavedFiles
    const muxed = yield* MuxedVideos
    const fetched = yield* FetchedVideos
    const counts = yield* DownloadCounts
    const copies = yield* RemoteCopies

    const generate = Effect.fnUntraced(function* (request: Request) {
      const { name = "" } = yield* HttpRouter.params
      const { fileIds, id } = yield* readGenerated(name, request.url)
      const video = yield* gate.open(request, id)
      const chosen = yield* chooseFiles(yield* rows.filesOf(video.id), fileIds)
      if (chosen._tag === "One") {
        const { place } = chosen.file
        const as = savedAs(video, chosen.file)
        const response = yield* place._tag === "Stored"
          ? files.serve(request, place.key, as)
          : fetched.answer(request, place, wholeAnswer(as))
        yield* counts.note(request, response, video.id)
        return response
      }
      const as = savedAs(video, chosen.video)
      const response = yield* muxed.answer(
        request,
        { video: chosen.video.place, audio: chosen.audio.place },
        wholeAnswer({
          ...as,
          contentType: "video/mp4",
          contentDisposition: attachment(savedName(chosen.video.videoName, `-${label(chosen.video.resolution)}.mp4`))
        })
      )
      yield* counts.note(request, response, video.id)
      return response
    })

    const rendition = (kind: DownloadableFile["kind"]) =>
      Effect.fnUntraced(function* (request: Request) {
        const { name = "" } = yield* HttpRouter.params
        const address = readFileAddress(kind, name)
        if (address === undefined) return yield* new FileNotFound()
        const video = yield* gate.open(request, address.id)
        const file = (yield* rows.filesOf(video.id)).find(
          (one) => one.kind === kind && one.resolution === address.resolution && one.extension === address.extension
        )
        // Files of other instances are named by addresses there.
        if (file?.place._tag !== "Stored") return yield* new VideoFileNotFound()
        const response = yield* files.serve(request, file.place.key, savedAs(video, file))
        yield* counts.note(request, response, video.id)
        return response
      })

    const torrent = Effect.fnUntraced(function* (request: Request) {
      const { name = "" } = yield* HttpRouter.params
      const named = isFileName(name) ? yield* rows.torrent(name) : Option.none()
      if (Option.isNone(named)) return yield* new FileNotFound()
      const { resolution, uuid, videoName } = named.value
      const video = yield* gate.open(request, byUuid(uuid))
      const served = files.serve(
        request,
        { bucket: "torrents", name },
        {
          contentType: fileType(name),
          contentDisposition: attachment(savedName(videoName, `-${label(resolution ?? 0)}.torrent`)),
          cacheControl: cacheControl(video)
        }
      )
      // Torrents of others are copied when somebody asks first.
      return yield* served.pipe(
        Effect.catchTag("FileNotFound", (missing) =>
          Effect.flatMap(copies.ensure("torrents", name), (there) => (there ? served : Effect.fail(missing)))
        )
      )
    })

    const source = Effect.fnUntraced(function* (request: Request) {
      const { name = "" } = yield* HttpRouter.params
      const named = isFileName(name) ? yield* rows.source(name) : Option.none()
      if (Option.isNone(named)) return yield* new FileNotFound()
      const { uuid, videoName } = named.value
      yield* gate.openSource(request, byUuid(uuid))
      const ending = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? ""
      return yield* files.serve(
        request,
        { bucket: "original_video_files", name },
        {
          contentType: fileType(name),
          contentDisposition: attachment(savedName(videoName, ending)),
          cacheControl: cachePolicies.private
        }
      )
    })

    const routes = [
      ["/download/videos/generate/:name", generate],
      ["/download/web-videos/:name", rendition("web-video")],
      ["/download/streaming-playlists/hls/videos/:name", rendition("hls")],
      ["/download/torrents/:name", torrent],
      ["/download/original-video-files/:name", source]
    ] as const
    for (const [path, handle] of routes) yield* router.add("GET", path, (request) => answer(handle(request)))
  })
)
