import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { Clock, Context, Duration, Effect, Exit, FiberSet, Layer, Option, Queue, Semaphore } from "effect"
import type { Entry } from "../config/Registrations.ts"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import { uninterrupted, backoff } from "../server/RetryPolicy.ts"
import { destinationsOf } from "../server/CustomUpload.ts"
import type { Offer } from "../server/Protocol.ts"
import { type Job, RunnerServer } from "../server/RunnerServer.ts"
import { openWakeups } from "./Wakeups.ts"
import { JobRun } from "./JobRun.ts"

/** While wakeups arrive, a runner polls this many times less often, so that hundreds of idle runners cost nothing. */
const wakeupPolls = 2
/** A job that another runner took first may become available again without a wakeup. */
const outrunWait = Duration.seconds(5)

/** How long a job that cannot be done here is left to others. */
const avoidFor = Duration.minutes(10)
/** How long a server that does not know this runner is left alone. */
const unknownFor = Duration.minutes(5)

/** Claims jobs from servers and runs them, as many at once as configured for all servers together. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Serves one server until it is interrupted. Running jobs continue. */
    readonly serve: (entry: Entry) => Effect.Effect<never>
    /** Waits until no job is running. */
    readonly idle: Effect.Effect<void>
  }
>()("@kinora/runner/running/Dispatcher") {
  static readonly layer = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const config = yield* RunnerConfig
      const jobs = yield* FiberSet.make<void>()
      const runs = yield* JobRun
      const server = yield* RunnerServer
      const permits = yield* Semaphore.make(config.concurrency)
      const avoided = new Map<string, number>()
      /**
       * Jobs that are being claimed or done. If a server offers such a job again, or another server uses the same id,
       * it is not started twice: both would use one folder.
       */
      const held = new Set<string>()
      const types: ReadonlySet<string> = new Set(config.job_types)
      const protocolTypes = config.job_types.filter((type) => type !== vodPartJobType)
      /** Servers that reject requests with unknown job types. */
      const strict = new Set<string>()
      const poll = Duration.seconds(config.poll_seconds)

      /**
       * Asks with our own job type in addition to the protocol's. If a server rejects that, only the protocol's types
       * are used from then on.
       */
      const ask = (entry: Entry) => {
        if (strict.has(entry.origin)) return server.request(entry, protocolTypes)
        return Effect.catchTag(server.request(entry, config.job_types), "ServerRefused", (error) =>
          protocolTypes.length === 0 || protocolTypes.length === config.job_types.length
            ? Effect.fail(error)
            : Effect.tap(server.request(entry, protocolTypes), () => Effect.sync(() => void strict.add(entry.origin)))
        )
      }

      /** Claims an offered job. The server's answer to the claim has no other type than the offer. */
      const take = (entry: Entry, { type, uuid }: Offer) =>
        Effect.suspend(() => {
          held.add(uuid)
          return uninterrupted(server.accept(entry, uuid))
        }).pipe(
          Effect.map((job) => Option.some({ ...job, type })),
          // Another runner was faster. Servers before 8 answer this with a plain 400.
          Effect.catchTags({
            JobLost: () => Effect.succeedNone,
            ServerRefused: () => Effect.succeedNone
          }),
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (Exit.isFailure(exit) || Option.isNone(exit.value)) held.delete(uuid)
            })
          )
        )

      /** `restore` makes it interruptible between requests, but never while it claims a job. */
      const claim = Effect.fnUntraced(function* (
        entry: Entry,
        restore: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
      ) {
        const offers = yield* restore(ask(entry))
        let outrun = false
        const now = yield* Clock.currentTimeMillis
        for (const [uuid, until] of avoided) if (until <= now) avoided.delete(uuid)
        for (const offer of offers) {
          if (!types.has(offer.type) || avoided.has(offer.uuid) || held.has(offer.uuid)) continue
          if (destinationsOf(entry.origin, offer.payload) === undefined) continue
          yield* restore(Effect.void)
          const taken = yield* take(entry, offer)
          if (Option.isSome(taken)) return { job: taken, outrun }
          outrun = true
        }
        return { job: Option.none<Job>(), outrun }
      })

      const begin = Effect.fnUntraced(function* (job: Job, wake: () => void) {
        const done = Effect.gen(function* () {
          const outcome = yield* runs.run(job)
          if (outcome === "failed" || outcome === "given back") {
            avoided.set(job.uuid, (yield* Clock.currentTimeMillis) + Duration.toMillis(avoidFor))
          }
        })
        const ended = Effect.sync(() => {
          held.delete(job.uuid)
          wake()
        })
        yield* FiberSet.run(jobs, Effect.ensuring(done, Effect.andThen(permits.release(1), ended)))
      })

      const serve = Effect.fnUntraced(function* (entry: Entry) {
        const wakeup = yield* Queue.sliding<void>(1)
        const wake = () => void Queue.offerUnsafe(wakeup, undefined)
        const wakeups = yield* openWakeups(entry, wake)

        /**
         * A claimed job is always started: nobody else would know of it. Returns how long to wait for a wakeup before
         * asking again.
         */
        const next = Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* restore(permits.take(1))
            const { job, outrun } = yield* Effect.onError(claim(entry, restore), () => permits.release(1))
            if (Option.isSome(job)) {
              yield* begin(job.value, wake)
              return Duration.zero
            }
            yield* permits.release(1)
            if (outrun) return outrunWait
            return (yield* wakeups.connected) ? Duration.times(poll, wakeupPolls) : poll
          })
        )

        const turn = Effect.gen(function* () {
          const wait = yield* next
          if (Duration.isZero(wait)) return
          yield* wakeups.reconnect
          yield* Effect.timeoutOption(Queue.take(wakeup), wait)
        })

        const retried = turn.pipe(
          Effect.tapError((error) =>
            Effect.logWarning(`The server cannot be reached. Trying again later: ${error.message}`)
          ),
          Effect.catchTag("UnknownRunner", () =>
            Effect.andThen(
              Effect.logError("The server no longer knows this runner. Register it again."),
              Effect.sleep(unknownFor)
            )
          ),
          Effect.retry(backoff),
          // An unexpected error must not stop the service for other servers.
          Effect.catchCause((cause) => Effect.andThen(Effect.logError("Unexpected error", cause), Effect.sleep(poll)))
        )
        return yield* Effect.forever(retried)
      })

      return Dispatcher.of({
        serve: (entry) => serve(entry).pipe(Effect.scoped, Effect.annotateLogs({ server: entry.origin })),
        idle: FiberSet.awaitEmpty(jobs)
      })
    })
  )
}
