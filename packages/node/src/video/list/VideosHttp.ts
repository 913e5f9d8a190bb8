import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { subtitleLanguageLabels, videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import { videoLicenceLabels } from "@kinora/domain/enums/VideoLicence"
import { videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoNotFound, VideoSourceNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import { Viewer } from "@kinora/domain/users/CurrentUser"
import type { Json } from "@kinora/domain/wire/Json"
import { VideoParts } from "@kinora/storage/video/read/VideoParts"
import { VideoLists } from "@kinora/storage/video/list/VideoLists"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type Answers, answer, json, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { withPictures } from "./PictureAddresses.ts"
import { presentedByUser, presentedByViewer } from "./Presented.ts"
import { permittedQuery } from "./ListQuery.ts"
import { VideoAccess } from "./VideoAccess.ts"
import { readerOf } from "./Reader.ts"
import { VideoPermissions } from "./VideoPermissions.ts"
import { VideoRemoval } from "./VideoRemoval.ts"
import { namedBy } from "./VideoVisibility.ts"

const labels = (byId: Readonly<Record<string | number, string>>) => Effect.succeed(json(byId))

/** Videos: lists, single ones and their parts. Answers that the database keeps ready are passed on as they are. */
export const layer = apiGroup(
  "videos",
  Effect.fnUntraced(function* (handlers) {
    const config = yield* KinoraConfig
    const lists = yield* VideoLists
    const reads = yield* VideoReads
    const access = yield* VideoAccess
    const parts = yield* VideoParts
    const permissions = yield* VideoPermissions
    const removal = yield* VideoRemoval

    /** A part of a video a viewer may see; none when the video was deleted meanwhile. */
    const part = Effect.fnUntraced(function* <A>(
      id: VideoIdOrUuid,
      request: HttpServerRequest,
      read: (videoId: number) => Effect.Effect<Option.Option<Json<A>>, DatabaseUnavailable>
    ) {
      const asked = yield* presentedByViewer(request)
      const video = yield* access.open(id, asked)
      const text = yield* read(video.id)
      if (Option.isNone(text)) return yield* new VideoNotFound()
      return jsonText(withPictures(text.value, yield* access.pictureToken(video, asked, namedBy(id))))
    })

    const categories = labels(videoCategoryLabels)
    const licences = labels(videoLicenceLabels)
    const privacies = labels(videoPrivacyLabels)
    const languages = labels(videoLanguageLabels)
    const subtitleLanguages = labels(subtitleLanguageLabels)

    return handlers.handleAll({
      getVideos: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            const permitted = yield* Effect.fromResult(
              permittedQuery(toVideoListQuery(query), user, config.instance.default_nsfw_policy)
            )
            return jsonText(yield* lists.list(permitted, readerOf(user)))
          })
        ),
      getCategories: () => categories,
      getLicences: () => licences,
      getVideoPrivacyPolicies: () => privacies,
      getLanguages: ({ query }) => (query.scope === "subtitle" ? subtitleLanguages : languages),
      getVideo: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const asked = yield* presentedByViewer(request)
            const video = yield* reads.details(params.id, readerOf(asked.user))
            yield* access.checkWatched(video, asked, namedBy(params.id))
            const token = yield* access.pictureToken(video, asked, namedBy(params.id))
            return jsonText(withPictures(video.body, token))
          })
        ),
      delVideo: ({ params, request }) =>
        answer(Effect.flatMap(presentedByUser(request), (asked) => removal.remove(params.id, asked))),
      getVideoDescription: ({ params, request }) => answer(part(params.id, request, parts.description)),
      listVideoStoryboards: ({ params, request }) => answer(part(params.id, request, parts.storyboards)),
      requestVideoToken: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const asked = yield* presentedByViewer(request)
            const video = yield* access.open(params.id, asked)
            const token = yield* access.issueFileToken(video, asked, namedBy(params.id))
            return json(token, { headers: { "cache-control": "no-store" } })
          })
        ),
      getVideoSource: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const video = yield* permissions.open(params.id, yield* presentedByUser(request), "seeSource")
            const text = yield* parts.source(video.id)
            return Option.isNone(text) ? yield* new VideoSourceNotFound() : jsonText(text.value)
          })
        )
    } satisfies Answers<"videos">)
  })
)
