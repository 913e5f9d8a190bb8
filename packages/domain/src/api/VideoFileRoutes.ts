import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field, optional } from "../fields/Field.ts"
import { fileName } from "../fields/FileName.ts"
import { videoFileTokenQuery, videoPasswordHeader } from "../requests/Headers.ts"
import { boolean, text } from "../fields/Readers.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const filename = field(fileName)
const videoUUID = field(
  text({ min: 36, max: 36, message: "Must be a valid video uuid", documented: { format: "uuid" } })
)

const reinjectVideoFileToken = optional(
  boolean({ description: "Put the token into the addresses within the playlist" })
)

const rangeHeaders = ["Accept-Ranges", "ETag", "Cache-Control"]
const file = (content: string) => ({
  200: { description: "The file", content, headers: rangeHeaders },
  206: { description: "The asked ranges of it", content, headers: ["Content-Range", ...rangeHeaders] },
  304: { description: "Not modified" }
})
const videoDocs = (summary: string): EndpointDocs => ({
  summary,
  answers: file("video/mp4"),
  problems: problems(404, 416)
})
const privateDocs = (summary: string): EndpointDocs => ({
  summary,
  auth: "optional",
  answers: file("video/mp4"),
  problems: problems([401, "video_requires_password"], [403, "incorrect_video_password"], 404, 416)
})

/** Files of videos: raw routes with byte ranges. */
export class VideoFileRoutes extends HttpApiGroup.make("videoFileRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getStaticWebVideosByFilename", "/static/web-videos/:filename", {
      params: { filename }
    }).annotate(Docs, videoDocs("Get a public web-video file")),
    HttpApiEndpoint.get("getStaticWebVideosPrivateByFilename", "/static/web-videos/private/:filename", {
      params: { filename },
      query: videoFileTokenQuery,
      headers: videoPasswordHeader
    }).annotate(Docs, privateDocs("Get a web-video file that is not public")),
    HttpApiEndpoint.get("getStaticStreamingPlaylistsHlsByFilename", "/static/streaming-playlists/hls/:filename", {
      params: { filename }
    }).annotate(Docs, { ...videoDocs("Get a public HLS file by its name alone"), deprecated: true }),
    HttpApiEndpoint.get("getHLSFile", "/static/streaming-playlists/hls/:videoUUID/:filename", {
      params: { videoUUID, filename }
    }).annotate(Docs, videoDocs("Get a public HLS file: playlist, rendition or digest list")),
    HttpApiEndpoint.get(
      "getStaticStreamingPlaylistsHlsPrivateByFilename",
      "/static/streaming-playlists/hls/private/:filename",
      { params: { filename }, query: { ...videoFileTokenQuery, reinjectVideoFileToken }, headers: videoPasswordHeader }
    ).annotate(Docs, { ...privateDocs("Get an HLS file that is not public by its name alone"), deprecated: true }),
    HttpApiEndpoint.get(
      "getPrivateHLSPlaylist",
      "/static/streaming-playlists/hls/private/:videoUUID/:playlistName.m3u8",
      {
        params: { videoUUID, playlistName: filename },
        query: { ...videoFileTokenQuery, reinjectVideoFileToken },
        headers: videoPasswordHeader
      }
    ).annotate(Docs, {
      ...privateDocs("Get an HLS playlist that is not public"),
      answers: { 200: { description: "The playlist", content: "application/vnd.apple.mpegurl" } }
    }),
    HttpApiEndpoint.get("getPrivateHLSFile", "/static/streaming-playlists/hls/private/:videoUUID/:filename", {
      params: { videoUUID, filename },
      query: videoFileTokenQuery,
      headers: videoPasswordHeader
    }).annotate(Docs, privateDocs("Get an HLS file that is not public")),
    HttpApiEndpoint.get("getStaticWebseedFilename", "/static/webseed/:filename", { params: { filename } }).annotate(
      Docs,
      {
        ...videoDocs("Get a web-video file under its older address"),
        deprecated: true
      }
    ),
    HttpApiEndpoint.get("getStaticWebseedPrivateFilename", "/static/webseed/private/:filename", {
      params: { filename },
      query: videoFileTokenQuery
    }).annotate(Docs, {
      ...privateDocs("Get a web-video file that is not public under its older address"),
      deprecated: true
    }),
    HttpApiEndpoint.get("getStaticRedundancyHlsVideoUUIDFilename", "/static/redundancy/hls/:videoUUID/:filename", {
      params: { videoUUID, filename }
    }).annotate(Docs, videoDocs("Get an HLS file of another instance's video, of which a copy is kept here")),
    HttpApiEndpoint.get("proxyPrivateWebVideo", "/object-storage-proxy/web-videos/private/:filename", {
      params: { filename },
      query: videoFileTokenQuery,
      headers: videoPasswordHeader
    }).annotate(Docs, privateDocs("Get a web-video file in object storage that is not public")),
    HttpApiEndpoint.get(
      "proxyPrivateHLS",
      "/object-storage-proxy/streaming-playlists/hls/private/:videoUUID/:filename",
      {
        params: { videoUUID, filename },
        query: { ...videoFileTokenQuery, reinjectVideoFileToken },
        headers: videoPasswordHeader
      }
    ).annotate(Docs, privateDocs("Get an HLS file in object storage that is not public"))
  )
  .annotate(OpenApi.Title, "Static Video Files") {}
