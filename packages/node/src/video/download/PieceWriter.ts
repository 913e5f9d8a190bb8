import type { FfmpegFailed } from "@kinora/media/errors/MediaErrors"
import { Duration, Effect, Result } from "effect"
import type { ServerResponse } from "node:http"
import type { Pace } from "../../platform/http/Pace.ts"
import type { DownloadSettingsShape } from "./DownloadSettings.ts"

export interface PieceWork {
  readonly response: ServerResponse
  /** The first piece; `next` gives those after it, and undefined at the end. A piece is valid until the next. */
  readonly first: Uint8Array | undefined
  readonly next: Effect.Effect<Uint8Array | undefined, FfmpegFailed>
  readonly pace: Pace | undefined
  readonly settings: Pick<DownloadSettingsShape, "leastBytesPerSecond" | "patience">
  readonly wrote: (bytes: number) => void
}

/** Writes bytes and tells once whether the kernel has them: not when the connection is gone, or the time is over. */
const send = (
  response: ServerResponse,
  bytes: Uint8Array,
  patience: number,
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
  // A timer of its own is a fraction of what racing two fibers costs, for each of thousands of pieces.
  const timer = setTimeout(() => end(false), patience)
  response.once("close", onClose)
  response.write(bytes, (error) => end(error === null || error === undefined))
  return stop
}

const write = (response: ServerResponse, bytes: Uint8Array, patience: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    if (response.destroyed) return resume(Effect.succeed(false))
    const stop = send(response, bytes, patience, (isWritten) => resume(Effect.succeed(isWritten)))
    return Effect.sync(stop)
  })

/**
 * Writes what a running tool gives, piece by piece, and ends the response. A client that takes less than it must loses
 * the connection, so that nobody holds a tool by not reading; so does every client when the tool fails, whose answer
 * would look whole otherwise. Time that a pace takes is not the client's.
 */
export const writePieces = Effect.fnUntraced(function* (work: PieceWork): Effect.fn.Return<void> {
  const { pace, response, settings } = work
  const patience = Duration.toMillis(settings.patience)
  /** How long the client may still keep us waiting, in milliseconds: reading earns it time. */
  let credit = patience

  const sendPaced = Effect.fnUntraced(function* (bytes: Uint8Array) {
    const wait = pace?.take(bytes.length) ?? 0
    if (wait > 0) yield* Effect.sleep(wait)
    const began = performance.now()
    const isWritten = yield* write(response, bytes, credit)
    const waited = performance.now() - began
    credit = Math.min(patience, credit - waited + (bytes.length / settings.leastBytesPerSecond) * 1000)
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
      return yield* Effect.logError("A video could not be put together to its end", read.failure)
    }
    piece = read.success
  }
  response.end()
})
