import { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, type Scope } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { isUnavailable, sqlState } from "../DatabaseErrors.ts"
import { LaggingReads, type ReadsOfRequest } from "./LaggingReads.ts"
import { CurrentReplica, type Replica } from "./Replica.ts"

type Reads = Effect.Effect<unknown, unknown>

/** A write, which a standby refuses: of a read that keeps something it has made. */
const refusedWrite = "25006"
/** It took too long: the primary would take as long, and has more to do. */
const tookTooLong = "57014"

const causeOf = (error: unknown) =>
  error instanceof DatabaseUnavailable && isSqlError(error.cause) ? error.cause : undefined

const byPrimary = (replica: Replica, reads: ReadsOfRequest, error: unknown, primary: Reads): Reads => {
  const cause = causeOf(error)
  if (cause === undefined || sqlState(cause) === tookTooLong) return Effect.fail(error)
  reads.primary = true
  replica.counts.replaced++
  const isAway = isUnavailable(cause) && sqlState(cause) !== refusedWrite
  return isAway ? Effect.andThen(replica.suspend, primary) : primary
}

const routed = (replica: Replica, onReplica: Reads, onPrimary: Reads): Reads =>
  Effect.flatMap(LaggingReads, (reads) => {
    if (reads === undefined) return onPrimary
    if (reads.primary || !replica.mayBeRead()) {
      reads.primary = true
      return onPrimary
    }
    return Effect.tap(onReplica, () => {
      replica.counts.answered++
      return Effect.void
    }).pipe(Effect.catch((error) => byPrimary(replica, reads, error, onPrimary)))
  })

const isFunction = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** One of two values that do the same: an effect is routed, a function gives what is routed, all else is the primary's. */
const either = (replica: Replica, onReplica: unknown, onPrimary: unknown): unknown => {
  if (Effect.isEffect(onPrimary)) return routed(replica, onReplica as Reads, onPrimary as Reads)
  if (!isFunction(onPrimary)) return onPrimary
  return (...args: ReadonlyArray<unknown>) => {
    const primary = onPrimary(...args)
    return Effect.isEffect(primary)
      ? routed(replica, (onReplica as typeof onPrimary)(...args) as Reads, primary as Reads)
      : primary
  }
}

const routedService = <S extends object>(replica: Replica, onReplica: S, onPrimary: S): S =>
  Object.fromEntries(
    Object.entries(onPrimary).map(([name, value]) => [name, either(replica, onReplica[name as keyof S], value)])
  ) as S

/**
 * A repository that only reads, from the replica where there is one and the request allows it (`LaggingReads`), and from the
 * primary otherwise: also what the replica fails at, or would have to write.
 */
export const replicated = <I, S extends object, E, R>(
  service: Context.Key<I, S>,
  layer: Layer.Layer<I, E, R>
): Layer.Layer<I, E, R> =>
  Layer.unwrap(
    Effect.map(CurrentReplica, (replica) => {
      if (replica === undefined) return layer
      const second = Layer.fresh(layer).pipe(Layer.provide(replica.clients))
      const made: Effect.Effect<S, E, R | Scope.Scope> = Effect.gen(function* () {
        const onPrimary = Context.get(yield* Layer.build(layer), service)
        const onReplica = Context.get(yield* Layer.build(second), service)
        return routedService(replica, onReplica, onPrimary)
      }) as Effect.Effect<S, E, R | Scope.Scope>
      return Layer.effect(service, made) as Layer.Layer<I, E, R>
    })
  )
