import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field, optional } from "../requests/Field.ts"
import { videoPasswordHeader } from "../requests/Headers.ts"
import { boolean, text } from "../requests/Readers.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const filename = field(text({ min: 1, max: 300, message: "Should have a valid filename", documented: {} }))
const videoUUID = field(
  text({ min: 36, max: 36, message: "Should have a valid video uuid", documented: { format: "uuid" } })
)

const videoFileToken = optional(
  text({
    min: 1,
    max: 200,
    message: "Should have a valid video file token",
    documented: { description: "Takes the place of a login" }
  })
)
const reinjectVideoFileToken = optional(
  boolean("reinjectVideoFileToken", { description: "Put the token into the addresses within the playlist" })
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
const pictureDocs = (
  summary: string,
  content: string,
  options: { readonly tag?: string; readonly deprecated?: boolean } = {}
): EndpointDocs => ({
  ...options,
  summary,
  answers: {
    200: { description: "The file", content, headers: ["ETag", "Cache-Control"] },
    304: { description: "Not modified" }
  },
  problems: problems(404)
})

/** Files of videos: raw routes with byte ranges. */
export class VideoFileRoutes extends HttpApiGroup.make("videoFileRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getStaticWebVideosByFilename", "/static/web-videos/:filename", {
      params: { filename }
    }).annotate(Docs, videoDocs("A public web-video file")),
    HttpApiEndpoint.get("getStaticWebVideosPrivateByFilename", "/static/web-videos/private/:filename", {
      params: { filename },
      query: { videoFileToken },
      headers: videoPasswordHeader
    }).annotate(Docs, privateDocs("A web-video file that is not public")),
    HttpApiEndpoint.get("getStaticStreamingPlaylistsHlsByFilename", "/static/streaming-playlists/hls/:filename", {
      params: { filename }
    }).annotate(Docs, { ...videoDocs("A public HLS file by its name alone"), deprecated: true }),
    HttpApiEndpoint.get("getHLSFile", "/static/streaming-playlists/hls/:videoUUID/:filename", {
      params: { videoUUID, filename }
    }).annotate(Docs, videoDocs("A public HLS file: playlist, rendition or digest list")),
    HttpApiEndpoint.get(
      "getStaticStreamingPlaylistsHlsPrivateByFilename",
      "/static/streaming-playlists/hls/private/:filename",
      { params: { filename }, query: { videoFileToken, reinjectVideoFileToken }, headers: videoPasswordHeader }
    ).annotate(Docs, { ...privateDocs("An HLS file that is not public by its name alone"), deprecated: true }),
    HttpApiEndpoint.get(
      "getPrivateHLSPlaylist",
      "/static/streaming-playlists/hls/private/:videoUUID/:playlistName.m3u8",
      {
        params: { videoUUID, playlistName: filename },
        query: { videoFileToken, reinjectVideoFileToken },
        headers: videoPasswordHeader
      }
    ).annotate(Docs, {
      ...privateDocs("An HLS playlist that is not public"),
      answers: { 200: { description: "The playlist", content: "application/vnd.apple.mpegurl" } }
    }),
    HttpApiEndpoint.get("getPrivateHLSFile", "/static/streaming-playlists/hls/private/:videoUUID/:filename", {
      params: { videoUUID, filename },
      query: { videoFileToken },
      headers: videoPasswordHeader
    }).annotate(Docs, privateDocs("An HLS file that is not public")),
    HttpApiEndpoint.get("getStaticWebseedFilename", "/static/webseed/:filename", { params: { filename } }).annotate(
      Docs,
      {
        ...videoDocs("Older address of a web-video file"),
        deprecated: true
      }
    ),
    HttpApiEndpoint.get("getStaticWebseedPrivateFilename", "/static/webseed/private/:filename", {
      params: { filename },
      query: { videoFileToken }
    }).annotate(Docs, { ...privateDocs("Older address of a web-video file that is not public"), deprecated: true })
  )
  .annotate(OpenApi.Title, "Static Video Files") {}

/** Pictures, captions and torrents: raw routes, public and cached. */
export class PictureRoutes extends HttpApiGroup.make("pictureRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getLazyThumbnails", "/lazy-static/thumbnails/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("A thumbnail", "image/jpeg")
    ),
    HttpApiEndpoint.get("getLazyPreviews", "/lazy-static/previews/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("A large thumbnail, under its older address", "image/jpeg", { deprecated: true })
    ),
    HttpApiEndpoint.get("getLazyAvatars", "/lazy-static/avatars/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("An avatar", "image/png")
    ),
    HttpApiEndpoint.get("getLazyBanners", "/lazy-static/banners/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("A banner", "image/jpeg")
    ),
    HttpApiEndpoint.get("getLazyStoryboards", "/lazy-static/storyboards/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("A storyboard", "image/jpeg")
    ),
    HttpApiEndpoint.get("getLazyVideoCaptions", "/lazy-static/video-captions/:filename", {
      params: { filename }
    }).annotate(Docs, pictureDocs("Captions", "text/vtt")),
    HttpApiEndpoint.get("getLazyTorrents", "/lazy-static/torrents/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("A torrent", "application/x-bittorrent")
    ),
    HttpApiEndpoint.get("getUploadedImage", "/static/uploads/images/:filename", { params: { filename } }).annotate(
      Docs,
      pictureDocs("A picture of the instance", "image/webp", { tag: "Static Files" })
    )
  )
  .annotate(OpenApi.Title, "Lazy Static") {}
