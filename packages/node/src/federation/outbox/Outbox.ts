import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type ChangeFailed, type OutboxChange, OutboxChanges } from "@kinora/storage/federation/outbox/OutboxChanges"
import { Cause, Context, Duration, Effect, Layer, Result } from "effect"
import { actorChanges, channelPlayerSettingsChanges } from "./change/ActorChanges.ts"
import type { ChangeHandler } from "./change/ChangeHandler.ts"
import { commentChanges } from "./change/CommentChanges.ts"
import { copyChanges } from "./change/CopyChanges.ts"
import { departureChanges } from "./change/DepartureChanges.ts"
import { followChanges } from "./change/FollowChanges.ts"
import { playlistChanges } from "./change/PlaylistChanges.ts"
import { ratingChanges } from "./change/RatingChanges.ts"
import { reportChanges } from "./change/ReportChanges.ts"
import { videoChanges, videoPlayerSettingsChanges } from "./change/VideoChanges.ts"
import { viewChanges, viewingChanges } from "./change/ViewChanges.ts"

/** Changes processed at once; each holds a connection of the pool. */
const atOnce = 3
/** How long a change waits that could not be processed: four times as long each time. A deadlock is over at once. */
const firstWait = Duration.millis(100)
const longestWait = Duration.hours(1)
/** Somebody else is at what is left. */
const lookAgain = Duration.millis(10)

const waitMillis = (failures: number): number =>
  Math.min(Duration.toMillis(firstWait) * 4 ** Math.min(failures, 20), Duration.toMillis(longestWait))

/**
 * Makes activities of what has changed. Triggers mark a thing in the transaction that changes it; what others are sent of that,
 * and who, is decided here, and written in the transaction that clears the mark (docs/decisions/outbox.md).
 */
export class Outbox extends Context.Service<
  Outbox,
  {
    /** Processes what is due until nothing is left that nobody else works on. */
    readonly process: Effect.Effect<void, DatabaseUnavailable>
    /** Processes what is due, one by one in the order of the changes, until nothing is left at all, whoever works on it. */
    readonly drain: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/outbox/Outbox") {
  static readonly layer = Layer.effect(
    Outbox,
    Effect.gen(function* () {
      const changes = yield* OutboxChanges
      const handlers: Readonly<Record<string, ChangeHandler>> = {
        actor: yield* actorChanges,
        "channel-player-settings": yield* channelPlayerSettingsChanges,
        comment: yield* commentChanges,
        copy: yield* copyChanges,
        departure: yield* departureChanges,
        follow: yield* followChanges,
        playlist: yield* playlistChanges,
        rating: yield* ratingChanges,
        report: yield* reportChanges,
        video: yield* videoChanges,
        "video-player-settings": yield* videoPlayerSettingsChanges,
        view: yield* viewChanges,
        viewing: yield* viewingChanges
      }

      // A newer version of the program may mark what this one does not know: it waits for that.
      const unknown: ChangeHandler = ({ kind }) => Effect.die(new Error(`the kind "${kind}" of a change is unknown`))
      const handle = (change: OutboxChange) => (handlers[change.kind] ?? unknown)(change)

      const failed = Effect.fnUntraced(function* ({ cause, change }: ChangeFailed) {
        const { failures, id, kind, thingId } = change
        yield* Effect.logError(`The change ${id} (${kind} ${thingId}) was not sent; failure ${failures + 1}`, cause)
        yield* changes.postpone(change, waitMillis(failures), Cause.pretty(cause).slice(0, 1_000))
      })

      const one = changes
        .next(handle)
        .pipe(Effect.catchTag("ChangeFailed", (failure) => Effect.as(failed(failure), true)))
      const all = Effect.gen(function* () {
        while (yield* one);
      })
      // None is interrupted when another fails: one that has lost its connection could not roll back, and ends by itself.
      const process = Effect.gen(function* () {
        const ends = yield* Effect.all(
          Array.from({ length: atOnce }, () => Effect.result(all)),
          { concurrency: "unbounded" }
        )
        for (const end of ends) if (Result.isFailure(end)) return yield* end.failure
      })
      const drain = Effect.gen(function* () {
        yield* all
        while ((yield* changes.waiting) > 0) {
          yield* Effect.sleep(lookAgain)
          yield* all
        }
      })
      return Outbox.of({ process, drain })
    })
  )
}
