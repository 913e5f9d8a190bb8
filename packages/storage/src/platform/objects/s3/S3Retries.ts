import { Effect, Random } from "effect"
import { mayRecover, type S3Failure } from "./S3Failure.ts"

const firstMillis = 200
const longestMillis = 5000

/** Bounded tries with growing pauses between them. */
export interface RetryTries {
  readonly attempts: number
  /** The pause after so many failed tries. */
  readonly pause: (failed: number) => Effect.Effect<void>
  readonly retry: <A, R>(request: Effect.Effect<A, S3Failure, R>) => Effect.Effect<A, S3Failure, R>
}

export const makeRetries = (attempts: number): RetryTries => {
  const pause = (failed: number) =>
    Effect.flatMap(Random.next, (random) =>
      Effect.sleep(Math.min(longestMillis, firstMillis * 2 ** Math.max(0, failed - 1)) * (0.5 + random / 2))
    )
  const retry = <A, R>(request: Effect.Effect<A, S3Failure, R>, failed = 0): Effect.Effect<A, S3Failure, R> =>
    Effect.catch(request, (failure) =>
      failed + 1 >= attempts || !mayRecover(failure)
        ? Effect.fail(failure)
        : Effect.andThen(pause(failed + 1), retry(request, failed + 1))
    )
  return { attempts, pause, retry: (request) => retry(request) }
}
