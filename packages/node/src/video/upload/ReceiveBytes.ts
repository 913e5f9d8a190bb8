import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { type Pull, Effect } from "effect"
import { catchDone } from "effect/Pull"
import type { UploadFile } from "../../platform/body/UploadFile.ts"

type Settled = InsufficientStorage | DatabaseUnavailable

/** Keeps what is acknowledged in step with what is on disk. */
export interface Acknowledging {
  /** Bytes up to which the file was acknowledged last. */
  readonly acknowledged: number
  /** Makes everything written durable and then known; does nothing when there is nothing new. */
  readonly settle: Effect.Effect<void, Settled>
  /** The same, once enough has been written to be worth it. */
  readonly checkpoint: Effect.Effect<void, Settled>
}

/** @param acknowledge notes in the database that this many bytes are safe */
export const acknowledging = (
  file: UploadFile,
  checkpointBytes: number,
  acknowledge: (received: number) => Effect.Effect<void, DatabaseUnavailable>
): Acknowledging => {
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
export const receiveBytes = Effect.fnUntraced(function* <E>(options: {
  readonly next: Pull.Pull<ReadonlyArray<Uint8Array>, E>
  readonly file: UploadFile
  readonly acknowledging: Acknowledging
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
