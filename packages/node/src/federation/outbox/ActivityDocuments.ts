import { type ContextType, withContext } from "@kinora/federation/contexts/Contexts"
import { contentDigestOf, digestOf } from "@kinora/federation/signatures/Digest"
import { signDocument } from "@kinora/federation/signatures/LinkedDataSignature"
import type { SigningKey } from "@kinora/federation/signatures/SigningKey"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { OutgoingActivities, type OutgoingActivity } from "@kinora/storage/federation/outbox/OutgoingActivities"
import { Cache, Clock, Context, Data, Duration, Effect, Exit, Layer, Option, Schema } from "effect"
import { createPrivateKey } from "node:crypto"

/** An activity as it goes over the wire, to whomever. */
export interface SignedActivity {
  readonly body: Uint8Array
  /** The digests of the body: `digest` and `content-digest`. */
  readonly digests: { readonly cavage: string; readonly rfc9421: string }
  readonly key: SigningKey
}

/** It can never be sent: its actor has no key that signs. */
class Unsendable extends Data.TaggedError("Unsendable")<{ readonly why: string }> {}

const contexts: Readonly<Record<string, ContextType>> = {
  Video: "Video",
  Comment: "Comment",
  Playlist: "Playlist",
  Actor: "Actor",
  View: "View",
  WatchAction: "WatchAction",
  ApproveReply: "ApproveReply",
  RejectReply: "RejectReply",
  CacheFile: "CacheFile",
  PlayerSettings: "PlayerSettings",
  Flag: "Flag"
}

const decodeDocument = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Documents that are kept: an activity goes to many hosts at once, and then to none. */
const capacity = 256
const kept = Duration.minutes(2)

const keyOf = (activity: OutgoingActivity) =>
  Effect.try({
    try: (): SigningKey => ({
      id: `${activity.sender}#main-key`,
      privateKey: createPrivateKey(activity.privateKey),
      algorithm: "rsa"
    }),
    catch: () => new Unsendable({ why: "the private key of its actor is none" })
  })

/**
 * Activities as they are sent: with their context and one linked-data signature each (contract: signatures.linkedData), made
 * before the first delivery and kept with the activity. Who asks for the same one at the same time gets the same one.
 */
export class ActivityDocuments extends Context.Service<
  ActivityDocuments,
  {
    /** None: it was taken back, or cannot be signed any more. */
    readonly of: (activityId: string) => Effect.Effect<Option.Option<SignedActivity>, DatabaseUnavailable>
  }
>()("@kinora/node/outbox/ActivityDocuments") {
  static readonly layer = Layer.effect(
    ActivityDocuments,
    Effect.gen(function* () {
      const activities = yield* OutgoingActivities

      const signed = Effect.fnUntraced(function* (activity: OutgoingActivity, key: SigningKey) {
        const text = withContext(contexts[activity.context] ?? "Collection", activity.body)
        const document = yield* Effect.orDie(decodeDocument(text))
        return yield* signDocument(document, key, yield* Clock.currentTimeMillis).pipe(
          Effect.map((complete) => JSON.stringify(complete)),
          // Peers read it as well without what they need to send it on.
          Effect.catchTag("NotSignable", (error) =>
            Effect.as(Effect.logWarning(`${activity.uri} has no linked-data signature: ${error.why}`), text)
          )
        )
      })

      const make = Effect.fn("ActivityDocuments.make")(function* (activityId: string) {
        const found = yield* activities.byId(activityId)
        if (Option.isNone(found)) return Option.none<SignedActivity>()
        const activity = found.value
        return yield* Effect.gen(function* () {
          const key = yield* keyOf(activity)
          const document =
            activity.document ?? (yield* activities.keepDocument(activityId, yield* signed(activity, key)))
          const body = Buffer.from(document)
          return Option.some({ body, key, digests: { cavage: digestOf(body), rfc9421: contentDigestOf(body) } })
        }).pipe(
          Effect.catchTag("Unsendable", ({ why }) =>
            Effect.as(Effect.logError(`${activity.uri} cannot be sent: ${why}`), Option.none<SignedActivity>())
          )
        )
      })

      const cache = yield* Cache.makeWith(make, {
        capacity,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? kept : Duration.zero)
      })
      return ActivityDocuments.of({ of: (activityId) => Cache.get(cache, activityId) })
    })
  )
}
