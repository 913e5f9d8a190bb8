import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { OutboxChange } from "@kinora/storage/federation/outbox/OutboxChanges"
import { Effect, Schema } from "effect"

/** What follows from a change of one kind. Runs in the transaction that clears the change: statements alone. */
export type ChangeHandler = (change: OutboxChange) => Effect.Effect<void, DatabaseUnavailable>

/** Reads the details of a change; what triggers write is known, so anything else is a defect. */
export const detailsOf = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (change: OutboxChange): Effect.Effect<A> => Effect.orDie(decode(change.details))
}
