import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { field } from "../fields/Field.ts"
import { fileName } from "../fields/FileName.ts"
import { videoFileTokenQuery, videoPasswordHeader } from "../requests/Headers.ts"
import { Docs, type EndpointDocs, problems } from "./Documentation.ts"

const params = { filename: field(fileName) }

/** What belongs to a video opens like its files do. */
const ofVideo = { params, query: videoFileTokenQuery, headers: videoPasswordHeader }

const picture = (summary: string, content: string): EndpointDocs => ({
  summary,
  answers: {
    200: { description: "The file", content, headers: ["ETag", "Cache-Control"] },
    304: { description: "Not modified" }
  },
  problems: problems(404)
})
const videoPicture = (
  summary: string,
  content: string,
  options: { readonly deprecated?: boolean } = {}
): EndpointDocs => ({
  ...picture(summary, content),
  ...options,
  auth: "optional",
  problems: problems([401, "video_requires_password"], [403, "incorrect_video_password"], 404)
})

/** Pictures, captions and torrents: raw routes. */
export class PictureRoutes extends HttpApiGroup.make("pictureRoutes", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getLazyThumbnails", "/lazy-static/thumbnails/:filename", ofVideo).annotate(
      Docs,
      videoPicture("Get a thumbnail of a video or playlist", "image/jpeg")
    ),
    HttpApiEndpoint.get("getLazyPreviews", "/lazy-static/previews/:filename", ofVideo).annotate(
      Docs,
      videoPicture("Get the large thumbnail of a video, under its older address", "image/jpeg", { deprecated: true })
    ),
    HttpApiEndpoint.get("getLazyStoryboards", "/lazy-static/storyboards/:filename", ofVideo).annotate(
      Docs,
      videoPicture("Get the storyboard of a video", "image/jpeg")
    ),
    HttpApiEndpoint.get("getLazyVideoCaptions", "/lazy-static/video-captions/:filename", ofVideo).annotate(
      Docs,
      videoPicture("Get captions of a video", "text/vtt")
    ),
    HttpApiEndpoint.get("getLazyTorrents", "/lazy-static/torrents/:filename", ofVideo).annotate(
      Docs,
      videoPicture("Get the torrent of a video file", "application/x-bittorrent")
    ),
    HttpApiEndpoint.get("getLazyAvatars", "/lazy-static/avatars/:filename", { params }).annotate(
      Docs,
      picture("Get an avatar", "image/png")
    ),
    HttpApiEndpoint.get("getLazyBanners", "/lazy-static/banners/:filename", { params }).annotate(
      Docs,
      picture("Get a banner", "image/jpeg")
    ),
    HttpApiEndpoint.get("getUploadedImage", "/static/uploads/images/:filename", { params }).annotate(Docs, {
      ...picture("Get a picture of the instance", "image/webp"),
      tag: "Static Files"
    }),
    HttpApiEndpoint.get("getClientAsset", "/client/assets/:filename", { params }).annotate(Docs, {
      ...picture("Get a script or style of the pages", "text/javascript"),
      tag: "Static Files"
    }),
    HttpApiEndpoint.get("getClientIcon", "/client/icons/:filename", { params }).annotate(Docs, {
      ...picture("Get an icon of the pages", "image/png"),
      tag: "Static Files"
    }),
    HttpApiEndpoint.get("getFavicon", "/favicon.ico").annotate(Docs, {
      ...picture("Get the icon browsers ask for", "image/png"),
      tag: "Static Files"
    })
  )
  .annotate(OpenApi.Title, "Lazy Static") {}
