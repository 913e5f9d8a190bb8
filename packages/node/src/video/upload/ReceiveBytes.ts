import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { type Pull, Effect } from "effect"
import { catchDone } from "effect/Pull"
import type { UploadFile } from "../../platform/body/UploadFile.ts"

type Settled = InsufficientStorage | DatabaseUnavailable

/** A file that grows in order, and what may go wrong when what was written is made durable. */
interface Growing<E> extends Pick<UploadFile, "position" | "write"> {
  readonly flush: Effect.Effect<void, E | Settled>
}

/** Keeps what is acknowledged in step with what is on disk. */
export interface Acknowledging<E = never> {
  /** Bytes up to which the file was acknowledged last. */
  readonly acknowledged: number
  /** Makes everything written durable and then known; does nothing when there is nothing new. */
  readonly settle: Effect.Effect<void, E | Settled>
  /** The same, once enough has been written to be worth it. */
  readonly checkpoint: Effect.Effect<void, E | Settled>
}

/** @param acknowledge notes in the database that this many bytes are safe */
export const acknowledging = <E = never>(
  file: Growing<E>,
  checkpointBytes: number,
  acknowledge: (received: number) => Effect.Effect<void, DatabaseUnavailable>
): Acknowledging<E> => {
  let acknowledged = file.position
  const settle = Effect.suspend(() => {
    const reached = file.position
    if (reached === acknowledged) return Effect.void
    return Effect.andThen(file.flush, acknowledge(reached)).pipe(
      Effect.andThen(
        Effect.sync(() => {
          acknowledged = reached
        })
      )
    )
  })
  return {
    get acknowledged() {
      return acknowledged
    },
    settle,
    checkpoint: Effect.suspend(() => (file.position - acknowledged >= checkpointBytes ? settle : Effect.void))
  }
}

/**
 * Writes a body to a file, at most `limit` bytes. However it ends, by a client that went away or by a full disk, what
 * arrived in order is durable and acknowledged. Gives whether the body held more than the limit.
 */
export const receiveBytes = Effect.fnUntraced(function* <E, F = never>(options: {
  readonly next: Pull.Pull<ReadonlyArray<Uint8Array>, E>
  readonly file: Growing<F>
  readonly acknowledging: Acknowledging<F>
  readonly limit: number
  readonly onBytes: Effect.Effect<void>
}) {
  const { acknowledging, file, next, onBytes } = options
  let left = options.limit
  let excess = false
  const receive = Effect.gen(function* () {
    while (true) {
      const chunks = yield* next
      yield* onBytes
      for (const chunk of chunks) {
        const taken = chunk.length > left ? chunk.subarray(0, left) : chunk
        excess ||= taken.length < chunk.length
        if (taken.length === 0) continue
        yield* file.write(taken)
        left -= taken.length
      }
      if (excess) return
      yield* acknowledging.checkpoint
    }
  })
  yield* receive.pipe(
    catchDone(() => Effect.void),
    Effect.onExit(() => acknowledging.settle)
  )
  return { excess }
})
