import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { VideoIdOrUuid } from "../ids/VideoIdOrUuid.ts"
import {
  commentFeedQuery,
  feedAccountId,
  feedFormatReader,
  podcastChannelId,
  subscriptionFilters,
  videoFeedQuery
} from "../requests/FeedRequests.ts"
import { field, optional } from "../fields/Field.ts"
import { text } from "../fields/Readers.ts"
import { Docs, type EndpointDocs, type Problems, problems } from "./Documentation.ts"

const params = { format: field(feedFormatReader) }

const feed = (
  summary: string,
  refusals: Problems,
  content = "application/rss+xml",
  auth?: "optional"
): EndpointDocs => ({
  summary,
  ...(auth === undefined ? {} : { auth }),
  answers: {
    200: {
      description: "The feed",
      content,
      schema: { type: "string" },
      headers: ["Cache-Control", "ETag", "Last-Modified"]
    },
    304: { description: "Not modified" }
  },
  problems: refusals
})

const { hasHLSFiles, hasWebVideoFiles, include, isLocal, nsfw, privacyOneOf, search, sort } = subscriptionFilters

/** Feeds of videos and comments: raw routes. */
export class FeedRoutes extends HttpApiGroup.make("feeds", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getSyndicatedComments", "/feeds/video-comments.:format", {
      params,
      query: commentFeedQuery
    }).annotate(Docs, {
      ...feed(
        "Get the newest comments on a video, on those of a channel, by an account, or all of them",
        problems(400, [401, "video_requires_password"], [403, "incorrect_video_password"], 404, 406),
        undefined,
        "optional"
      )
    }),
    HttpApiEndpoint.get("getSyndicatedVideos", "/feeds/videos.:format", { params, query: videoFeedQuery }).annotate(
      Docs,
      feed(
        "Videos: all of them, or those of an account or a channel",
        problems(400, 401, 403, 404, 406),
        undefined,
        "optional"
      )
    ),
    HttpApiEndpoint.get("getSyndicatedSubscriptionVideos", "/feeds/subscriptions.:format", {
      params,
      query: {
        accountId: field(feedAccountId),
        token: field(text({ min: 1, max: 100, message: "Must be the token of the account's feeds" })),
        sort: optional(sort),
        nsfw: optional(nsfw),
        isLocal: optional(isLocal),
        include: optional(include),
        privacyOneOf: optional(privacyOneOf),
        hasHLSFiles: optional(hasHLSFiles),
        hasWebVideoFiles: optional(hasWebVideoFiles),
        search: optional(search)
      }
    }).annotate(Docs, feed("Videos of the channels a user follows", problems(400, 403, 406))),
    HttpApiEndpoint.get("getVideosPodcastFeed", "/feeds/podcast/videos.xml", {
      query: { videoChannelId: field(podcastChannelId) }
    }).annotate(Docs, feed("Get a channel as a podcast (Podcasting 2.0)", problems(400, 404))),
    HttpApiEndpoint.get("getPodcastChapters", "/feeds/podcast/chapters/:id.json", {
      params: { id: VideoIdOrUuid }
    }).annotate(
      Docs,
      feed("Chapters of a video in the podcast format", problems(400, 404), "application/json+chapters")
    )
  )
  .annotate(OpenApi.Title, "Video Feeds") {}
