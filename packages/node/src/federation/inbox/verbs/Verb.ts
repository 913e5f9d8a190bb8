import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CheckedActivity, Subject } from "@kinora/federation/authority/Authority"
import type { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Data, Effect } from "effect"
import type { ObjectRefused, ObjectUnavailable } from "../../remote/RemoteErrors.ts"

/** It changes nothing, and would not if it were looked at again. */
export class Refused extends Data.TaggedError("Refused")<{ readonly why: string }> {}

/** What it needs cannot be had at the moment. */
export class Later extends Data.TaggedError("Later")<{ readonly why: string; readonly retryAfterMillis: number }> {}

export type VerbFailure = Refused | Later | DatabaseUnavailable

/**
 * What an activity changes: statements alone, in the transaction that also marks its row, so that it is applied once or not
 * at all.
 */
export interface Change {
  readonly write: Effect.Effect<void, Refused | DatabaseUnavailable>
}

export const change = (write: Change["write"]): Change => ({ write })

/**
 * What a kind of activity means. The effect may ask other hosts and keep what they answer, which can be done twice; it comes
 * to the change. `sender` has proved to have sent it, and everything in `activity` was held against that.
 */
export type Verb = (activity: CheckedActivity, sender: RemoteActor) => Effect.Effect<Change, VerbFailure>

/** Nothing is left to change: it is done, or means nothing here. */
export const nothing: Change = change(Effect.void)

export const refuse = (why: string) => Effect.fail(new Refused({ why }))

/** What the services of remote objects say, as a verb does. */
export const fetched = <A>(
  effect: Effect.Effect<A, ObjectRefused | ObjectUnavailable | DatabaseUnavailable>
): Effect.Effect<A, VerbFailure> =>
  Effect.catchTags(effect, {
    ObjectRefused: (error) => refuse(error.message),
    ObjectUnavailable: (error) =>
      Effect.fail(new Later({ why: error.message, retryAfterMillis: error.retryAfterMillis }))
  })

/** The one thing an activity is about. */
export const subjectOf = (activity: CheckedActivity): Effect.Effect<Subject, Refused> => {
  const [subject] = activity.subjects
  return subject === undefined || activity.subjects.length > 1
    ? refuse(`${activity.type} of ${activity.subjects.length} objects`)
    : Effect.succeed(subject)
}

/** Its address; what has none was made for this activity alone. */
export const addressed = (subject: Subject): Effect.Effect<string, Refused> =>
  subject._tag === "Inline" ? refuse("an object without id") : Effect.succeed(subject.id)

/** The video whose counts an activity reports: a local one, or one of the sender's instance (corpus AP-27). */
export const countedVideo = (targets: InboxTargets["Service"]) =>
  Effect.fnUntraced(function* (activity: CheckedActivity, sender: RemoteActor) {
    const video = yield* targets.video(yield* addressed(yield* subjectOf(activity)))
    if (video === undefined || !video.open) return yield* refuse("no such video")
    if (video.remote && video.host?.toLowerCase() !== sender.host.toLowerCase()) {
      return yield* refuse("only its own instance reports on it")
    }
    return video
  })
