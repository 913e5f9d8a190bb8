import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Effect } from "effect"

/** Adds to the transaction of a change, such as the entry of the audit log that belongs to it. */
export type Around = <A, E, R>(change: Effect.Effect<A, E, R>) => Effect.Effect<A, E | DatabaseUnavailable, R>
