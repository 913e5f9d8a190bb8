import type { FfmpegFailed } from "@kinora/media/errors/MediaErrors"
import { Duration, Effect, Result } from "effect"
import type { ServerResponse } from "node:http"
import type { Pace } from "../../platform/http/Pace.ts"
import type { DownloadSettingsShape } from "./DownloadSettings.ts"

export interface PieceWork {
  readonly response: ServerResponse
  /**
   * The first chunk. `next` returns the following ones, and undefined at the end. A chunk is valid until the next one.
   */
  readonly first: Uint8Array | undefined
  readonly next: Effect.Effect<Uint8Array | undefined, FfmpegFailed>
  readonly pace: Pace | undefined
  readonly settings: Pick<DownloadSettingsShape, "minBytesPerSecond" | "stallLimit">
  readonly wrote: (bytes: number) => void
}

/** Writes a chunk and reports whether the kernel accepted it. False if the connection is closed or the time is over. */
const send = (
  response: ServerResponse,
  bytes: Uint8Array,
  stallLimit: number,
  tell: (isWritten: boolean) => void
): (() => void) => {
  const stop = () => {
    clearTimeout(timer)
    response.off("close", onClose)
  }
  const end = (isWritten: boolean) => {
    stop()
    tell(isWritten)
  }
  const onClose = () => end(false)
  // A plain timer costs a fraction of racing two fibers, for each of thousands of chunks.
  const timer = setTimeout(() => end(false), stallLimit)
  response.once("close", onClose)
  response.write(bytes, (error) => end(error === null || error === undefined))
  return stop
}

const write = (response: ServerResponse, bytes: Uint8Array, stallLimit: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    if (response.destroyed) return resume(Effect.succeed(false))
    const stop = send(response, bytes, stallLimit, (isWritten) => resume(Effect.succeed(isWritten)))
    return Effect.sync(stop)
  })

/**
 * Writes the output of a running tool chunk by chunk and ends the response. A client that reads too slowly is
 * disconnected, so that nobody blocks a tool by not reading. If the tool fails, the client is disconnected too, since
 * the response would look complete otherwise. Time spent throttling does not count as the client's.
 */
export const writePieces = Effect.fnUntraced(function* (work: PieceWork): Effect.fn.Return<void> {
  const { pace, response, settings } = work
  const stallLimit = Duration.toMillis(settings.stallLimit)
  /** Milliseconds for which the client may still keep us waiting. Reading earns it more. */
  let credit = stallLimit

  const sendPaced = Effect.fnUntraced(function* (bytes: Uint8Array) {
    const wait = pace?.take(bytes.length) ?? 0
    if (wait > 0) yield* Effect.sleep(wait)
    const began = performance.now()
    const isWritten = yield* write(response, bytes, credit)
    const waited = performance.now() - began
    credit = Math.min(stallLimit, credit - waited + (bytes.length / settings.minBytesPerSecond) * 1000)
    if (!isWritten || credit <= 0) return false
    work.wrote(bytes.length)
    return true
  })

  let piece = work.first
  while (piece !== undefined) {
    const chunk = pace === undefined ? piece.length : pace.chunk
    for (let at = 0; at < piece.length; at += chunk) {
      if (yield* sendPaced(piece.subarray(at, at + chunk))) continue
      response.destroy()
      return
    }
    const read: Result.Result<Uint8Array | undefined, FfmpegFailed> = yield* Effect.result(work.next)
    if (Result.isFailure(read)) {
      response.destroy()
      return yield* Effect.logError("Muxing a video for download failed", read.failure)
    }
    piece = read.success
  }
  response.end()
})
