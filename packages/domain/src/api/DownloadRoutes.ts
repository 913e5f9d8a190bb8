import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import { field } from "../fields/Field.ts"
import { fileName } from "../fields/FileName.ts"
import { videoFileTokenQuery, videoPasswordHeader } from "../requests/Headers.ts"
import { integer, text } from "../fields/Readers.ts"
import { videoFileIds } from "../requests/VideoFileIds.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const filename = field(fileName)
const resolution = field(
  integer({
    min: 0,
    max: 99_999,
    message: "Must be a valid resolution",
    documented: { description: "0 for audio alone" }
  })
)
const extension = field(text({ min: 2, max: 5, message: "Must be a valid extension", pattern: /^[a-z0-9]+$/ }))

const headers = ["Accept-Ranges", "Cache-Control", "Content-Disposition", "ETag"]
const file = (content: string) => ({
  200: { description: "The file, to be saved", content, headers },
  206: { description: "The asked ranges of it", content, headers: ["Content-Range", ...headers] },
  304: { description: "Not modified" }
})

const ofVideo = (summary: string, content: string): EndpointDocs => ({
  summary,
  auth: "optional",
  answers: file(content),
  problems: problems([403, "incorrect_video_password"], 404, 412, 416)
})

const rendition = {
  params: { id: VideoIdOrUuid, resolution, extension },
  query: videoFileTokenQuery,
  headers: videoPasswordHeader
}

/** Files to be saved: raw routes with byte ranges, throttled when the instance is configured so. */
export class DownloadRoutes extends HttpApiGroup.make("downloadRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getDownloadVideosGenerateByVideoIdOrUUID", "/download/videos/generate/:id", {
      params: { id: VideoIdOrUuid },
      query: { videoFileIds: field(videoFileIds), ...videoFileTokenQuery },
      headers: videoPasswordHeader
    }).annotate(Docs, {
      summary: "Get one file with the streams of the chosen ones",
      auth: "optional",
      answers: {
        ...file("video/mp4"),
        200: {
          description: "Without length and ranges when the files are put together while they are sent",
          content: "video/mp4",
          headers
        }
      },
      problems: problems(400, [403, "incorrect_video_password"], 404, 412, 416, 503)
    }),
    HttpApiEndpoint.get("downloadWebVideo", "/download/web-videos/:id-:resolution.:extension", rendition).annotate(
      Docs,
      ofVideo("Get a web-video file", "video/mp4")
    ),
    HttpApiEndpoint.get(
      "downloadHLSVideo",
      "/download/streaming-playlists/hls/videos/:id-:resolution-fragmented.:extension",
      rendition
    ).annotate(Docs, ofVideo("Get a rendition of the HLS playlist", "video/mp4")),
    HttpApiEndpoint.get("downloadTorrent", "/download/torrents/:filename", {
      params: { filename },
      query: videoFileTokenQuery,
      headers: videoPasswordHeader
    }).annotate(Docs, ofVideo("Get the torrent of a file", "application/x-bittorrent")),
    HttpApiEndpoint.get("downloadOriginalVideoFile", "/download/original-video-files/:filename", {
      params: { filename },
      query: videoFileTokenQuery
    }).annotate(Docs, ofVideo("Get the source file of a video", "application/octet-stream")),
    HttpApiEndpoint.get("downloadUserExport", "/download/user-exports/:filename", {
      params: { filename },
      query: { jwt: field(text({ min: 1, max: 2000, message: "Must be a valid token" })) }
    }).annotate(Docs, {
      summary: "Download an archive of a user's data by the link in its list",
      answers: file("application/zip"),
      problems: problems(403, 404, 412, 416)
    })
  )
  .annotate(OpenApi.Title, "Video Download") {}
