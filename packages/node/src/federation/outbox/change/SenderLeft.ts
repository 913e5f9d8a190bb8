import type { ActivityWrites, Sender } from "@kinora/storage/federation/outbox/ActivityWrites"
import { Effect, Schema } from "effect"

/** What the end of an actor leaves in changes it has still to speak of. */
export const SenderLeft = Schema.optionalKey(
  Schema.Struct({ url: Schema.String, followersUrl: Schema.String, privateKey: Schema.NullOr(Schema.String) })
)

/** Who signs: an actor of ours, or what is left of it; undefined: nobody can. */
export const senderOf = (writes: ActivityWrites["Service"]) =>
  Effect.fnUntraced(function* (actorId: number, left: Omit<Sender, "id"> | undefined) {
    const actor = yield* writes.sender(actorId)
    if (actor !== undefined) return actor
    return left === undefined || left.privateKey === null ? undefined : { ...left, id: null }
  })
