import { Schema } from "effect"
import { abuseReasonNames } from "../enums/AbuseReason.ts"
import { NullableString, NullableTimestamp, NumberConstant, Timestamp, Url } from "./Scalars.ts"

/** A video of this instance, as messages to webhooks have it. */
export const WebhookVideo = Schema.Struct({
  id: Schema.Int,
  uuid: Schema.String,
  shortUUID: Schema.String,
  name: Schema.String,
  /** Page of the video. */
  url: Url,
  privacy: NumberConstant,
  state: NumberConstant,
  isLive: Schema.Boolean,
  /** In seconds. */
  duration: Schema.Int,
  channel: Schema.Struct({ name: Schema.String, displayName: Schema.String }),
  publishedAt: Timestamp
})
export type WebhookVideo = typeof WebhookVideo.Type

const session = {
  id: Schema.Int,
  startedAt: Timestamp
}

/** What messages say, by their type. */
const webhookData = {
  ping: Schema.Struct({ webhook: Schema.Struct({ id: Schema.Int }) }),
  "video.published": Schema.Struct({ video: WebhookVideo }),
  "video.failed": Schema.Struct({
    reason: Schema.Literals(["transcoding", "storage", "import"]),
    /** Null where an import failed before there was a video. */
    video: Schema.NullOr(WebhookVideo),
    import: Schema.NullOr(Schema.Struct({ id: Schema.Int, error: NullableString }))
  }),
  "live.started": Schema.Struct({ video: WebhookVideo, session: Schema.Struct(session) }),
  "live.ended": Schema.Struct({
    video: WebhookVideo,
    /** `error` is null where the stream ended in order. */
    session: Schema.Struct({ ...session, endedAt: NullableTimestamp, error: Schema.NullOr(Schema.Int) })
  }),
  "report.created": Schema.Struct({
    report: Schema.Struct({
      id: Schema.Int,
      kind: Schema.Literals(["video", "comment", "account"]),
      reason: Schema.String,
      predefinedReasons: Schema.Array(Schema.Literals(abuseReasonNames)),
      /** Whether it came from another instance. */
      remote: Schema.Boolean,
      /** Where moderators decide on it. */
      url: Url,
      createdAt: Timestamp
    })
  }),
  "registration.created": Schema.Struct({
    registration: Schema.Struct({
      id: Schema.Int,
      username: Schema.String,
      reason: Schema.String,
      url: Url,
      createdAt: Timestamp
    })
  }),
  "user.created": Schema.Struct({
    user: Schema.Struct({
      id: Schema.Int,
      username: Schema.String,
      role: NumberConstant,
      url: Url,
      createdAt: Timestamp
    })
  }),
  "comment.held": Schema.Struct({
    comment: Schema.Struct({ id: Schema.Int, url: Url, createdAt: Timestamp }),
    video: WebhookVideo
  })
} as const

type Types = keyof typeof webhookData

const message = <Type extends Types>(type: Type) =>
  Schema.Struct({
    /** That of the header `webhook-id`. */
    id: Schema.String,
    type: Schema.Literal(type),
    /** When it happened. */
    timestamp: Timestamp,
    /** Address of the instance. */
    instance: Url,
    data: webhookData[type]
  })

/** The body of what is sent to webhooks. */
export const WebhookMessage = Schema.Union([
  message("ping"),
  message("video.published"),
  message("video.failed"),
  message("live.started"),
  message("live.ended"),
  message("report.created"),
  message("registration.created"),
  message("user.created"),
  message("comment.held")
])
export type WebhookMessage = typeof WebhookMessage.Type
