import { CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { VideoId } from "@kinora/domain/ids/Ids"
import type { NewAbuse } from "@kinora/domain/requests/AbuseRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { NewReport } from "@kinora/storage/social/abuse/NewReports"
import { CommentRows } from "@kinora/storage/social/comment/CommentRows"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Context, Effect, Layer, Option } from "effect"
import { type AccessRefused, type Presented, VideoAccess } from "../../video/list/VideoAccess.ts"
import { type NamedBy, namedBy } from "../../video/list/VideoVisibility.ts"
import { maySee } from "../comment/CommentRights.ts"

/** A thing that a user may report. */
export type FoundThing = Pick<NewReport, "thing" | "startAt" | "endAt" | "isShown">

type Refusal = AccessRefused | CommentNotFound | InvalidParameters

const notInVideo = { startAt: null, endAt: null } as const

/** Finds what a user reports, where the user may know of it. */
export class ReportableThings extends Context.Service<
  ReportableThings,
  {
    /** Whether an account exists is seen when the report is written. */
    readonly find: (
      user: CurrentUserShape,
      report: NewAbuse,
      presented: Presented
    ) => Effect.Effect<FoundThing, Refusal>
  }
>()("@kinora/node/social/abuse/ReportableThings") {
  static readonly layer = Layer.effect(
    ReportableThings,
    Effect.gen(function* () {
      const access = yield* VideoAccess
      const reads = yield* VideoReads
      const comments = yield* CommentRows

      /** False: it takes a password or an address, which a report need not present. All else that is hidden stays so. */
      const isShown = (
        video: VideoFacts,
        presented: Presented,
        named: NamedBy
      ): Effect.Effect<boolean, AccessRefused> =>
        access.check(video, presented, named).pipe(
          Effect.as(true),
          Effect.catchTag("VideoRequiresPassword", () => Effect.succeed(false)),
          Effect.catchTag("VideoNotFound", (absent) =>
            named === "uuid"
              ? Effect.fail(absent)
              : isShown(video, presented, "uuid").pipe(
                  Effect.as(false),
                  Effect.catchTag("VideoForbidden", () => Effect.fail(absent))
                )
          )
        )

      const video = Effect.fnUntraced(function* (reported: NonNullable<NewAbuse["video"]>, presented: Presented) {
        const { endAt = null, id, startAt = null } = reported
        if (endAt !== null && endAt <= (startAt ?? 0)) {
          return yield* InvalidParameters.one("video.endAt", "Must be after startAt", "body", endAt)
        }
        const found = yield* reads.access(id)
        const shown = yield* isShown(found, presented, namedBy(id))
        const thing: FoundThing = { thing: { kind: "video", id: found.id }, startAt, endAt, isShown: shown }
        return thing
      })

      const comment = Effect.fnUntraced(
        function* (user: CurrentUserShape, id: number, presented: Presented) {
          const found = yield* comments.facts(id, user.accountId)
          if (Option.isNone(found) || found.value.deleted) return yield* new CommentNotFound()
          const below = yield* reads.access({ _tag: "Id", id: found.value.videoId as VideoId })
          const shown = yield* isShown(below, presented, "id")
          if (!maySee(below, found.value, user)) return yield* new CommentNotFound()
          const thing: FoundThing = { ...notInVideo, thing: { kind: "comment", id }, isShown: shown }
          return thing
        },
        Effect.catchTag("VideoNotFound", () => Effect.fail(new CommentNotFound()))
      )

      const find: ReportableThings["Service"]["find"] = Effect.fn("ReportableThings.find")(
        function* (user, report, presented) {
          const named = [report.video, report.comment, report.account].filter((it) => it !== undefined)
          if (named.length !== 1) {
            return yield* InvalidParameters.one("video", "Name one thing: a video, a comment or an account", "body")
          }
          if (report.video !== undefined) return yield* video(report.video, presented)
          if (report.comment !== undefined) return yield* comment(user, report.comment.id, presented)
          return { ...notInVideo, thing: { kind: "account", id: report.account!.id }, isShown: true } as const
        }
      )

      return ReportableThings.of({ find })
    })
  )
}
