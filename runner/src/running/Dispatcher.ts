import { vodPartJobType } from "@kinora/domain/enums/RunnerJobType"
import { Clock, Context, Duration, Effect, FiberSet, Layer, Option, Queue, Semaphore } from "effect"
import type { Entry } from "../config/Registrations.ts"
import { RunnerConfig } from "../config/RunnerConfig.ts"
import { apart, growing } from "../server/Patience.ts"
import { destinationsOf } from "../server/CustomUpload.ts"
import { type Job, RunnerServer } from "../server/RunnerServer.ts"
import { openBell } from "./Bell.ts"
import { JobRun } from "./JobRun.ts"

/** How long a job that could not be done here is left to others. */
const avoidFor = Duration.minutes(10)
/** How long a server that does not know this runner is left alone. */
const unknownFor = Duration.minutes(5)

/** Takes jobs of servers and has them done, as many at once as the configuration says, all servers together. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Serves one server, until it is interrupted; jobs that were begun go on. */
    readonly serve: (entry: Entry) => Effect.Effect<never>
    /** Waits until no job is being done. */
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
      const types: ReadonlySet<string> = new Set(config.job_types)
      const protocolTypes = config.job_types.filter((type) => type !== vodPartJobType)
      /** Servers that refuse to hear of types they do not know. */
      const strict = new Set<string>()
      const poll = Duration.seconds(config.poll_seconds)

      /** Asks with our own type among the protocol's; of a server that refuses that, with the protocol's alone from then on. */
      const ask = (entry: Entry) => {
        if (strict.has(entry.origin)) return server.request(entry, protocolTypes)
        return Effect.catchTag(server.request(entry, config.job_types), "ServerRefused", (error) =>
          protocolTypes.length === 0 || protocolTypes.length === config.job_types.length
            ? Effect.fail(error)
            : Effect.tap(server.request(entry, protocolTypes), () => Effect.sync(() => void strict.add(entry.origin)))
        )
      }

      const claim = Effect.fnUntraced(function* (entry: Entry) {
        const offers = yield* ask(entry)
        const now = yield* Clock.currentTimeMillis
        for (const [uuid, until] of avoided) if (until <= now) avoided.delete(uuid)
        for (const offer of offers) {
          if (!types.has(offer.type) || avoided.has(offer.uuid)) continue
          if (destinationsOf(entry.origin, offer.payload) === undefined) continue
          const taken = yield* server.accept(entry, offer.uuid).pipe(
            Effect.asSome,
            // Another was faster; servers before 8 say so with a plain 400.
            Effect.catchTags({
              JobLost: () => Effect.succeedNone,
              ServerRefused: () => Effect.succeedNone
            })
          )
          if (Option.isSome(taken)) return taken
        }
        return Option.none<Job>()
      })

      const begin = Effect.fnUntraced(function* (job: Job, ring: () => void) {
        const done = Effect.gen(function* () {
          const outcome = yield* runs.run(job)
          if (outcome === "failed" || outcome === "given back") {
            avoided.set(job.uuid, (yield* Clock.currentTimeMillis) + Duration.toMillis(avoidFor))
          }
        })
        yield* FiberSet.run(jobs, Effect.ensuring(done, Effect.andThen(permits.release(1), Effect.sync(ring))))
      })

      const serve = Effect.fnUntraced(function* (entry: Entry) {
        const rung = yield* Queue.sliding<void>(1)
        const ring = () => void Queue.offerUnsafe(rung, undefined)
        const bell = yield* openBell(entry, ring)

        /** A job that was accepted is begun, come what may: nobody else would know of it. */
        const next = Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            yield* restore(permits.take(1))
            const claimed = yield* Effect.onError(apart(claim(entry)), () => permits.release(1))
            if (Option.isSome(claimed)) yield* begin(claimed.value, ring)
            else yield* permits.release(1)
            return Option.isSome(claimed)
          })
        )

        const turn = Effect.gen(function* () {
          if (yield* next) return
          yield* bell.revive
          yield* Effect.timeoutOption(Queue.take(rung), poll)
        })

        const patient = turn.pipe(
          Effect.tapError((error) => Effect.logWarning(`The server is asked again later: ${error.message}`)),
          Effect.catchTag("UnknownRunner", () =>
            Effect.andThen(
              Effect.logError("The server has removed this runner: register again"),
              Effect.sleep(unknownFor)
            )
          ),
          Effect.retry(growing),
          // A fault of ours must not end the service of the others.
          Effect.catchCause((cause) => Effect.andThen(Effect.logError("A fault", cause), Effect.sleep(poll)))
        )
        return yield* Effect.forever(patient)
      })

      return Dispatcher.of({
        serve: (entry) => serve(entry).pipe(Effect.scoped, Effect.annotateLogs({ server: entry.origin })),
        idle: FiberSet.awaitEmpty(jobs)
      })
    })
  )
}
