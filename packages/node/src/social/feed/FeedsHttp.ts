import type { ProblemError } from "@kinora/domain/errors/ProblemError"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import {
  commentFeedQuery,
  feedAccountId,
  podcastChannelId,
  subscriptionFilters,
  videoFeedQuery
} from "@kinora/domain/requests/FeedRequests"
import { query as queryOf } from "@kinora/domain/requests/Query"
import { text } from "@kinora/domain/fields/Readers"
import { toVideoListQuery } from "@kinora/domain/requests/VideoListQuery"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { ChapterReads } from "@kinora/storage/video/chapter/ChapterReads"
import { Effect, Option, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { chaptersOf } from "../../video/chapter/ChaptersOf.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { answer } from "../../platform/http/Answer.ts"
import { AccessTokens } from "../../people/session/AccessTokens.ts"
import { viewerOf } from "../../people/session/AuthenticationLayer.ts"
import { nsfwChoice } from "../../people/session/SessionUser.ts"
import { presented } from "../../video/list/Presented.ts"
import { permittedQuery } from "../../video/list/ListQuery.ts"
import { readerOf } from "../../video/list/Reader.ts"
import { VideoAccess } from "../../video/list/VideoAccess.ts"
import { CommentFeeds } from "./CommentFeeds.ts"
import { feedAddress } from "./FeedAddress.ts"
import { feedAnswer } from "./FeedAnswer.ts"
import { FeedCache, type FeedSource } from "./FeedCache.ts"
import { decodeQuery, fieldsOf, formatOf, required } from "./FeedRequest.ts"
import { Feeds } from "./Feeds.ts"
import { FeedSubscriptions } from "./FeedSubscriptions.ts"
import { keptQuestions } from "./KeptQuestions.ts"

const all = { errors: "all" } as const
const decodeVideos = Schema.decodeUnknownEffect(videoFeedQuery, all)
const decodeComments = Schema.decodeUnknownEffect(commentFeedQuery, all)
const decodeFilters = Schema.decodeUnknownEffect(queryOf(subscriptionFilters), all)

const tokenReader = text({ min: 1, max: 100, message: "Must be the token of the account's feeds" })

/** Readers of feeds ask again after a quarter of an hour (contract: Cache-Control of feeds). */
const forAll = "max-age=900"
/** What is somebody's own is kept by nobody else. */
const forOne = "private, max-age=900"
/** A password that was taken back opens nothing again. */
const forNow = "private, no-store"

const podcastType = "application/rss+xml"

/** A feed that is asked for: its name among those that are kept, what it is, and how it is answered. */
interface Question {
  readonly key: string
  readonly read: ReturnType<Feeds["Service"]["videos"]>
  readonly options: { readonly contentType: string; readonly cacheControl: string }
}

/** Questions that are remembered. */
const mostQuestions = 500

const owned = ["accountId", "accountName", "videoChannelId", "videoChannelName"] as const

/** Feeds of videos, comments, subscriptions and podcasts (contract tag "Video Feeds"). */
export const FeedRoutesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* KinoraConfig
    const cache = yield* FeedCache
    const feeds = yield* Feeds
    const comments = yield* CommentFeeds
    const subscribers = yield* FeedSubscriptions
    const access = yield* VideoAccess
    const accessTokens = yield* AccessTokens
    const chapters = yield* ChapterReads
    const { origin } = config.derived
    const nsfwPolicy = () => config.instance.default_nsfw_policy

    const cached = <E extends ProblemError>(
      request: HttpServerRequest.HttpServerRequest,
      key: string,
      read: Effect.Effect<FeedSource, E>,
      options: Question["options"]
    ) =>
      Effect.flatMap(cache.get(key, read), ({ feed, now }) =>
        feedAnswer(request, feed, now, options, (bytes) => cache.grown(key, feed, bytes))
      )

    /** What is asked for by address and Accept header, for readers who are not logged in: nothing else is in it. */
    const questions = keptQuestions<Question>(mostQuestions)

    const videosAsked = Effect.fnUntraced(function* (user: Option.Option<CurrentUserShape>) {
      const fields = yield* fieldsOf
      const { contentType, format } = yield* formatOf(fields)
      const given = yield* decodeQuery(decodeVideos, fields)
      const { accountId, accountName, videoChannelId, videoChannelName, ...filters } = given
      const query = yield* Effect.fromResult(permittedQuery(toVideoListQuery(filters), user, nsfwPolicy()))
      const viewer = readerOf(user)
      const names = { accountId, accountName, videoChannelId, videoChannelName }
      const self = feedAddress(origin, `/feeds/videos.${format}`, given)
      return {
        key: JSON.stringify(["videos", format, viewer ?? null, query, names]),
        read: feeds.videos({ query, viewer, owners: names, format, self }),
        options: { contentType, cacheControl: viewer === undefined ? forAll : forOne }
      } satisfies Question
    })

    const videos = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const user = yield* viewerOf(accessTokens, request)
      const name = `${request.url} ${request.headers["accept"] ?? ""}`
      let question = Option.isNone(user) ? questions.get(name) : undefined
      if (question === undefined) {
        question = yield* videosAsked(user)
        if (Option.isNone(user)) questions.keep(name, question)
      }
      return yield* cached(request, question.key, question.read, question.options)
    })

    const ofVideo = (given: Readonly<Record<string, unknown>>) => {
      const mixed = given["videoId"] === undefined ? [] : owned.filter((name) => given[name] !== undefined)
      return mixed.length === 0
        ? Effect.void
        : Effect.fail(
            new InvalidParameters({
              invalidParams: Object.assign(
                {},
                ...mixed.map(
                  (name) => InvalidParameters.one(name, "Must not stand beside videoId", "query").invalidParams
                )
              )
            })
          )
    }

    const commented = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const user = yield* viewerOf(accessTokens, request)
      const fields = yield* fieldsOf
      const { contentType, format } = yield* formatOf(fields)
      const given = yield* decodeQuery(decodeComments, fields)
      yield* ofVideo(given)
      const { isLocal, onLocalVideo, videoId, ...names } = given
      const self = feedAddress(origin, `/feeds/video-comments.${format}`, given)
      const shown = presented(request, user)
      const read = comments.read({ videoId, owners: names, isLocal, onLocalVideo, presented: shown, format, self })
      const viewer = readerOf(user)
      if (shown.password !== undefined) {
        const written = (yield* read).write()
        return HttpServerResponse.text(written, {
          contentType: `${contentType}; charset=utf-8`,
          headers: { "cache-control": forNow }
        })
      }
      const role = Option.getOrUndefined(user)?.role
      const key = JSON.stringify(["comments", format, viewer ?? null, role ?? null, given])
      return yield* cached(request, key, read, { contentType, cacheControl: viewer === undefined ? forAll : forOne })
    })

    const subscriptions = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const fields = yield* fieldsOf
      const { contentType, format } = yield* formatOf(fields)
      const { accountId, token } = yield* required({ accountId: feedAccountId, token: tokenReader }, fields)
      const filters = yield* decodeQuery(decodeFilters, fields)
      const subscriber = yield* subscribers.open(accountId, token)
      // The token opens this feed: it makes nobody a moderator.
      const user = Option.some({ role: UserRole.user, nsfw: nsfwChoice(subscriber) })
      const query = yield* Effect.fromResult(permittedQuery(toVideoListQuery(filters), user, nsfwPolicy()))
      const viewer = { userId: subscriber.userId, accountId }
      const key = JSON.stringify(["subscriptions", format, viewer, query])
      const read = feeds.subscriptions({ query, viewer, format })
      return yield* cached(request, key, read, { contentType, cacheControl: forOne })
    })

    const podcast = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { videoChannelId } = yield* required({ videoChannelId: podcastChannelId }, yield* fieldsOf)
      const self = feedAddress(origin, "/feeds/podcast/videos.xml", { videoChannelId })
      const read = feeds.podcast(videoChannelId, self)
      return yield* cached(request, `podcast ${videoChannelId}`, read, {
        contentType: podcastType,
        cacheControl: forAll
      })
    })

    /** JSON chapters 1.2.0 of the podcast namespace, of a video that anybody may see. */
    const chapterList = Effect.fnUntraced(function* (file: string) {
      const id = parseVideoIdOrUuid(file.replace(/\.json$/i, ""))
      if (id === undefined) return yield* new VideoNotFound()
      const video = yield* access.open(id, { user: Option.none() })
      const list = chaptersOf(yield* chapters.sources(video.id))
      return HttpServerResponse.text(
        JSON.stringify({
          version: "1.2.0",
          chapters: list.map(({ timecode, title }) => ({ startTime: timecode, title }))
        }),
        { contentType: "application/json+chapters; charset=utf-8", headers: { "cache-control": forAll } }
      )
    })

    yield* router.add("GET", "/feeds/videos.:format", (request) => answer(videos(request)))
    yield* router.add("GET", "/feeds/videos", (request) => answer(videos(request)))
    yield* router.add("GET", "/feeds/video-comments.:format", (request) => answer(commented(request)))
    yield* router.add("GET", "/feeds/video-comments", (request) => answer(commented(request)))
    yield* router.add("GET", "/feeds/subscriptions.:format", (request) => answer(subscriptions(request)))
    yield* router.add("GET", "/feeds/subscriptions", (request) => answer(subscriptions(request)))
    yield* router.add("GET", "/feeds/podcast/videos.xml", (request) => answer(podcast(request)))
    yield* router.add(
      "GET",
      "/feeds/podcast/chapters/:file",
      Effect.flatMap(HttpRouter.params, ({ file = "" }) => answer(chapterList(file)))
    )
  })
)
