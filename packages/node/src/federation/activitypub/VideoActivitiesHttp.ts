import { CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseVideoIdOrUuid, type VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { parseUuid } from "@kinora/domain/ids/VideoUuid"
import type { ContextType } from "@kinora/federation/contexts/Contexts"
import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { type CommentForm, CommentObjects } from "@kinora/storage/federation/activitypub/CommentObjects"
import { type VideoCollection, VideoCollections } from "@kinora/storage/federation/activitypub/VideoCollections"
import { VideoObjects, type VideoPart } from "@kinora/storage/federation/activitypub/VideoObjects"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import {
  activityAnswer,
  activityResponse,
  elsewhereResponse,
  foundResponse,
  queryOf,
  rowId,
  whenFederating
} from "./ActivityAnswer.ts"
import { collectionText, readPaging, sliceOf } from "./Paging.ts"

const parts: ReadonlyArray<readonly [path: string, part: VideoPart, context: ContextType]> = [
  ["activity", "activity", "Video"],
  ["chapters", "chapters", "Chapters"],
  ["player-settings", "playerSettings", "PlayerSettings"]
]
const collections: ReadonlyArray<VideoCollection> = ["announces", "likes", "dislikes", "comments"]
const commentParts: ReadonlyArray<readonly [path: string, form: CommentForm, context: ContextType]> = [
  ["activity", "activity", "Comment"],
  ["approve-reply", "approval", "ApproveReply"]
]

const named = (text: string | undefined): Effect.Effect<VideoIdOrUuid, VideoNotFound> => {
  const id = parseVideoIdOrUuid(text ?? "")
  return id === undefined ? Effect.fail(new VideoNotFound()) : Effect.succeed(id)
}

/** What stands below the addresses of videos: their parts, collections, and comments. */
export const VideoActivityRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const objects = yield* VideoObjects
    const lists = yield* VideoCollections
    const comments = yield* CommentObjects
    const federating = yield* whenFederating

    for (const [path, part, context] of parts) {
      const read = Effect.gen(function* () {
        const id = yield* named((yield* HttpRouter.params)["id"])
        return yield* foundResponse(context, yield* objects.read(id, part), () => new VideoNotFound())
      })
      yield* router.add("GET", `/videos/watch/:id/${path}`, activityAnswer(federating(read)))
    }

    for (const collection of collections) {
      const read = Effect.fnUntraced(function* (url: string) {
        const paging = yield* Effect.fromResult(readPaging(queryOf(url)))
        const id = yield* named((yield* HttpRouter.params)["id"])
        const found = yield* lists.read(id, collection, sliceOf(paging))
        if (Option.isNone(found)) return yield* new VideoNotFound()
        const { elsewhere, shown } = found.value
        if (elsewhere !== null) return elsewhereResponse(elsewhere)
        if (!shown) return yield* new VideoNotFound()
        return activityResponse("Collection", collectionText(found.value, paging))
      })
      yield* router.add("GET", `/videos/watch/:id/${collection}`, (request) =>
        activityAnswer(federating(read(request.url)))
      )
    }

    const announce = Effect.gen(function* () {
      const params = yield* HttpRouter.params
      const id = yield* named(params["id"])
      const found = yield* objects.announce(id, yield* rowId(params["actorId"]))
      return yield* foundResponse("Announce", found, () => new VideoNotFound())
    })
    yield* router.add("GET", "/videos/watch/:id/announces/:actorId", activityAnswer(federating(announce)))

    const cacheFile = Effect.gen(function* () {
      const params = yield* HttpRouter.params
      if (params["type"]?.toLowerCase() !== "hls") return yield* new VideoNotFound()
      const id = yield* named(params["videoId"])
      return yield* foundResponse("CacheFile", yield* objects.cacheFile(id), () => new VideoNotFound())
    })
    yield* router.add("GET", "/redundancy/streaming-playlists/:type/:videoId", activityAnswer(federating(cacheFile)))

    const watchAction = Effect.gen(function* () {
      const uuid = parseUuid((yield* HttpRouter.params)["localViewerId"] ?? "")
      if (uuid === undefined) return yield* new VideoNotFound()
      return yield* foundResponse("WatchAction", yield* objects.watchAction(uuid), () => new VideoNotFound())
    })
    yield* router.add("GET", "/videos/local-viewer/:localViewerId", activityAnswer(federating(watchAction)))

    const comment = (form: CommentForm, context: ContextType) =>
      federating(
        Effect.gen(function* () {
          const params = yield* HttpRouter.params
          const id = yield* named(params["videoId"])
          const found = yield* comments.read(id, yield* rowId(params["commentId"]), form)
          return yield* foundResponse(context, found, () => new CommentNotFound())
        })
      )
    for (const [path, form, context] of commentParts) {
      yield* router.add(
        "GET",
        `/videos/watch/:videoId/comments/:commentId/${path}`,
        activityAnswer(comment(form, context))
      )
    }

    // People who follow the link of a comment get the page that shows it.
    const page = Effect.map(HttpRouter.params, ({ commentId = "", videoId = "" }) =>
      HttpServerResponse.redirect(`/w/${encodeURIComponent(videoId)};threadId=${encodeURIComponent(commentId)}`, {
        status: 302
      })
    )
    yield* router.add("GET", "/videos/watch/:videoId/comments/:commentId", (request) =>
      Effect.map(
        wantsActivity(request.headers["accept"]) ? activityAnswer(comment("note", "Comment")) : page,
        HttpServerResponse.setHeader("vary", "Accept")
      )
    )
  })
)
