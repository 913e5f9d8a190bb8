import { type AbuseReasonName, namesOfReasons } from "@kinora/domain/enums/AbuseReason"
import { userRole } from "@kinora/domain/enums/UserRole"
import { type VideoPrivacy, videoPrivacyLabels } from "@kinora/domain/enums/VideoPrivacy"
import { VideoState, videoStateLabels } from "@kinora/domain/enums/VideoState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { WebhookMessage, type WebhookVideo } from "@kinora/domain/wire/WebhookMessage"
import type { MarkedEvent } from "@kinora/storage/instance/webhook/WebhookEvents"
import { type VideoFacts, WebhookFacts } from "@kinora/storage/instance/webhook/WebhookFacts"
import { VideoEventRows } from "@kinora/storage/social/notification/VideoEventRows"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

const encode = Schema.encodeEffect(Schema.fromJsonString(WebhookMessage))

type Said = Pick<WebhookMessage, "type" | "data"> | undefined

/** What is said of an event; undefined: nothing, for it is no news any more. */
type Write = (subject: number, source: string) => Effect.Effect<Said, DatabaseUnavailable>

/** Writes messages to webhooks: decides what of an event is news, and what is said of it. */
export class WebhookMessages extends Context.Service<
  WebhookMessages,
  {
    /** The body of the message about an event. Runs in the transaction that removes its mark. */
    readonly of: (event: MarkedEvent) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** The body of a message that tries a webhook. */
    readonly ping: (id: string, webhookId: number) => Effect.Effect<string>
  }
>()("@kinora/node/instance/webhook/WebhookMessages") {
  static readonly layer = Layer.effect(
    WebhookMessages,
    Effect.gen(function* () {
      const { origin } = (yield* KinoraConfig).derived
      const facts = yield* WebhookFacts
      const listings = yield* VideoEventRows

      const videoOf = (video: VideoFacts): WebhookVideo => {
        const shortUUID = toShortUuid(video.uuid)
        return {
          id: video.id,
          uuid: video.uuid,
          shortUUID,
          name: video.name,
          url: `${origin}/w/${shortUUID}`,
          privacy: { id: video.privacy, label: videoPrivacyLabels[video.privacy as VideoPrivacy] },
          state: { id: video.state, label: videoStateLabels[video.state as VideoState] },
          isLive: video.isLive,
          duration: video.duration,
          channel: { name: video.channelName, displayName: video.channelDisplayName },
          publishedAt: video.publishedAt
        }
      }

      const published: Write = Effect.fnUntraced(function* (subject) {
        const video = yield* facts.video(subject)
        if (video?.visible) return { type: "video.published", data: { video: videoOf(video) } }
        // Hidden before it was sent, as what waits for a moderator: it is news when it is listed again.
        yield* listings.expectListing(subject)
        return undefined
      })

      const importFailed = Effect.fnUntraced(function* (subject: number) {
        const ended = yield* facts.import(subject)
        if (ended === undefined) return undefined
        const { error, id, videoId } = ended
        const video = videoId === null ? undefined : yield* facts.video(videoId)
        const data = {
          reason: "import",
          video: video === undefined ? null : videoOf(video),
          import: { id, error }
        } as const
        return { type: "video.failed", data } as const
      })

      const failed: Write = Effect.fnUntraced(function* (subject, source) {
        if (source === "video_import") return yield* importFailed(subject)
        const video = yield* facts.video(subject)
        if (video === undefined) return undefined
        const reason = video.state === VideoState.transcodingFailed ? "transcoding" : "storage"
        return { type: "video.failed", data: { reason, video: videoOf(video), import: null } } as const
      })

      const live = (type: "live.started" | "live.ended"): Write =>
        Effect.fnUntraced(function* (subject) {
          const session = yield* facts.session(subject)
          const video = session === undefined ? undefined : yield* facts.video(session.videoId)
          if (session === undefined || video === undefined) return undefined
          const { endedAt, error, id, startedAt } = session
          return type === "live.started"
            ? { type, data: { video: videoOf(video), session: { id, startedAt } } }
            : { type, data: { video: videoOf(video), session: { id, startedAt, endedAt, error } } }
        })

      const reported: Write = Effect.fnUntraced(function* (subject) {
        const report = yield* facts.report(subject)
        if (report === undefined) return undefined
        const predefinedReasons: ReadonlyArray<AbuseReasonName> = namesOfReasons(report.predefinedReasons)
        const url = `${origin}/admin/reports?id=${report.id}`
        return { type: "report.created", data: { report: { ...report, predefinedReasons, url } } } as const
      })

      const asked: Write = Effect.fnUntraced(function* (subject) {
        const registration = yield* facts.registration(subject)
        if (registration === undefined) return undefined
        const url = `${origin}/admin/registrations`
        return { type: "registration.created", data: { registration: { ...registration, url } } } as const
      })

      const joined: Write = Effect.fnUntraced(function* (subject) {
        const user = yield* facts.user(subject)
        if (user === undefined) return undefined
        const url = `${origin}/admin/users/${user.id}`
        return { type: "user.created", data: { user: { ...user, role: userRole(user.role), url } } } as const
      })

      const held: Write = Effect.fnUntraced(function* (subject) {
        const comment = yield* facts.heldComment(subject)
        const video = comment === undefined ? undefined : yield* facts.video(comment.videoId)
        if (comment === undefined || video === undefined) return undefined
        const { createdAt, id, threadId } = comment
        const said = videoOf(video)
        return {
          type: "comment.held",
          data: { comment: { id, url: `${said.url};threadId=${threadId}`, createdAt }, video: said }
        } as const
      })

      const writers: Readonly<Record<string, Write>> = {
        "video.published": published,
        "video.failed": failed,
        "live.started": live("live.started"),
        "live.ended": live("live.ended"),
        "report.created": reported,
        "registration.created": asked,
        "user.created": joined,
        "comment.held": held
      }

      const bodyOf = (id: string, at: Date, said: NonNullable<Said>) =>
        Effect.orDie(encode({ id, timestamp: at.toISOString(), instance: origin, ...said } as WebhookMessage))

      return WebhookMessages.of({
        of: Effect.fn("WebhookMessages.of")(function* ({ createdAt, id, source, subject, type }) {
          const write = writers[type]
          // A newer version of the program may mark what this one does not know: it waits for that.
          if (write === undefined) return yield* Effect.die(new Error(`the type "${type}" of an event is unknown`))
          const said = yield* write(subject, source)
          return said === undefined ? Option.none() : Option.some(yield* bodyOf(id, createdAt, said))
        }),
        ping: Effect.fnUntraced(function* (id, webhookId) {
          const now = yield* DateTime.now
          return yield* bodyOf(id, DateTime.toDate(now), { type: "ping", data: { webhook: { id: webhookId } } })
        })
      })
    })
  ).pipe(Layer.provide([WebhookFacts.layer, VideoEventRows.layer]))
}
