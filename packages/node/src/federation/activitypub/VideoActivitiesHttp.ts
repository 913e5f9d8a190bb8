import { CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseVideoIdOrUuid, type VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { parseUuid } from "@kinora/domain/ids/VideoUuid"
import { wantsActivity } from "@kinora/federation/negotiation/Accept"
import { CommentObjects } from "@kinora/storage/federation/activitypub/CommentObjects"
import type { ApprovalRow } from "@kinora/storage/federation/activitypub/rows/ActivityRows"
import type { NoteRow } from "@kinora/storage/federation/activitypub/rows/NoteRow"
import { type VideoCollection, VideoCollections } from "@kinora/storage/federation/activitypub/VideoCollections"
import { VideoObjects } from "@kinora/storage/federation/activitypub/VideoObjects"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { KinoraConfig } from "../../platform/config/Config.ts"
import {
  activityAnswer,
  activityResponse,
  elsewhereResponse,
  foundResponse,
  foundText,
  queryOf,
  rowId,
  whenFederating
} from "./ActivityAnswer.ts"
import { announceDocument, approvalDocument, cacheFileDocument } from "./documents/Activities.ts"
import { createdNote, noteDocument } from "./documents/Note.ts"
import { chaptersDocument, playerSettingsDocument } from "./documents/VideoParts.ts"
import { addresses, collectionText, readPaging, sliceOf } from "./Paging.ts"
import { makeVideoTexts } from "./VideoTexts.ts"

const collections: ReadonlyArray<VideoCollection> = ["announces", "likes", "dislikes", "comments"]

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
    const videoTexts = yield* makeVideoTexts
    const { origin } = (yield* KinoraConfig).derived

    const absent = () => new VideoNotFound()
    const id = Effect.flatMap(HttpRouter.params, (params) => named(params["id"]))
    const parts = {
      activity: Effect.flatMap(Effect.flatMap(id, objects.created), (found) =>
        foundText("Video", found, { absent, text: videoTexts.activity })
      ),
      chapters: Effect.flatMap(Effect.flatMap(id, objects.chapters), (found) =>
        foundResponse("Chapters", found, { absent, encode: chaptersDocument })
      ),
      "player-settings": Effect.flatMap(Effect.flatMap(id, objects.playerSettings), (found) =>
        foundResponse("PlayerSettings", found, { absent, encode: playerSettingsDocument })
      )
    }
    for (const [path, read] of Object.entries(parts)) {
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
        return activityResponse("Collection", collectionText(addresses(found.value), paging))
      })
      yield* router.add("GET", `/videos/watch/:id/${collection}`, (request) =>
        activityAnswer(federating(read(request.url)))
      )
    }

    const announce = Effect.gen(function* () {
      const params = yield* HttpRouter.params
      const id = yield* named(params["id"])
      const found = yield* objects.announce(id, yield* rowId(params["actorId"]))
      return yield* foundResponse("Announce", found, { absent, encode: announceDocument })
    })
    yield* router.add("GET", "/videos/watch/:id/announces/:actorId", activityAnswer(federating(announce)))

    const cacheFile = Effect.gen(function* () {
      const params = yield* HttpRouter.params
      if (params["type"]?.toLowerCase() !== "hls") return yield* new VideoNotFound()
      const id = yield* named(params["videoId"])
      return yield* foundResponse("CacheFile", yield* objects.cacheFile(id), { absent, encode: cacheFileDocument })
    })
    yield* router.add("GET", "/redundancy/streaming-playlists/:type/:videoId", activityAnswer(federating(cacheFile)))

    const watchAction = Effect.gen(function* () {
      const uuid = parseUuid((yield* HttpRouter.params)["localViewerId"] ?? "")
      if (uuid === undefined) return yield* new VideoNotFound()
      return yield* foundText("WatchAction", yield* objects.watchAction(uuid), {
        absent,
        text: ({ text }) => Effect.succeed(Option.some(text))
      })
    })
    yield* router.add("GET", "/videos/local-viewer/:localViewerId", activityAnswer(federating(watchAction)))

    const commentAbsent = () => new CommentNotFound()
    /** The video and the comment that an address names. */
    const comment = Effect.gen(function* () {
      const params = yield* HttpRouter.params
      return { video: yield* named(params["videoId"]), id: yield* rowId(params["commentId"]) }
    })
    const note = Effect.gen(function* () {
      const { id, video } = yield* comment
      const encode = (row: NoteRow) => noteDocument(row, origin)
      return yield* foundResponse("Comment", yield* comments.note(video, id), { absent: commentAbsent, encode })
    })
    const commentParts = {
      activity: Effect.gen(function* () {
        const { id, video } = yield* comment
        const encode = (row: NoteRow) => createdNote(noteDocument(row, origin))
        return yield* foundResponse("Comment", yield* comments.note(video, id), { absent: commentAbsent, encode })
      }),
      "approve-reply": Effect.gen(function* () {
        const { id, video } = yield* comment
        const encode = (row: ApprovalRow) => approvalDocument(row, origin)
        const found = yield* comments.approval(video, id)
        return yield* foundResponse("ApproveReply", found, { absent: commentAbsent, encode })
      })
    }
    for (const [path, read] of Object.entries(commentParts)) {
      yield* router.add("GET", `/videos/watch/:videoId/comments/:commentId/${path}`, activityAnswer(federating(read)))
    }

    // People who follow the link of a comment get the page that shows it.
    const page = Effect.map(HttpRouter.params, ({ commentId = "", videoId = "" }) =>
      HttpServerResponse.redirect(`/w/${encodeURIComponent(videoId)};threadId=${encodeURIComponent(commentId)}`, {
        status: 302
      })
    )
    yield* router.add("GET", "/videos/watch/:videoId/comments/:commentId", (request) =>
      Effect.map(
        wantsActivity(request.headers["accept"]) ? activityAnswer(federating(note)) : page,
        HttpServerResponse.setHeader("vary", "Accept")
      )
    )
  })
)
