import { read } from "node:fs"
import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import type { BufferPool } from "./BufferPool.ts"
import type { ByteRange } from "./ByteRanges.ts"
import type { FileHandle, FileHandles } from "./FileHandles.ts"
import type { Pace } from "./Pace.ts"

/** A piece of an answer: bytes at hand, or a span of the file. */
export type Piece = { readonly bytes: Buffer } | ByteRange

/**
 * Writes pieces to a response and ends it: each read goes into a pooled buffer, which is free again when the kernel
 * has taken it, and the next read waits for that. The file is held from the first read to the last. A file that was
 * closed or became shorter ends the connection; interruption stops at the next step. With a pace each write waits for
 * its turn.
 */
export const pump = (
  response: ServerResponse,
  handle: FileHandle,
  pieces: ReadonlyArray<Piece>,
  pool: BufferPool,
  handles: FileHandles,
  pace?: Pace
): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    let index = 0
    let position = -1
    let state: "running" | "stopped" | "over" = "running"
    let isReading = false
    let isWriting = false
    let held: Buffer | undefined
    let turn: NodeJS.Timeout | undefined

    const give = (reusable: boolean) => {
      if (held !== undefined) pool.give(held, reusable)
      held = undefined
    }

    const finish = () => {
      if (state === "over") return
      state = "over"
      clearTimeout(turn)
      response.off("close", onClose)
      handles.release(handle)
      resume(Effect.void)
    }

    const onClose = () => {
      if (state === "running") state = "stopped"
      if (isReading) return
      // The write may never call back, and the kernel may still hold its buffer.
      give(false)
      finish()
    }

    const wrote = () => {
      isWriting = false
      give(true)
      step()
    }

    const write = (bytes: Buffer, isLast: boolean) => {
      turn = undefined
      isWriting = true
      if (isLast) response.end(bytes, wrote)
      else response.write(bytes, wrote)
    }

    const send = (bytes: Buffer, isLast: boolean) => {
      const wait = pace === undefined ? 0 : pace.take(bytes.length)
      if (wait > 0) turn = setTimeout(write, wait, bytes, isLast)
      else write(bytes, isLast)
    }

    const step = (): void => {
      const piece = pieces[index]
      if (state !== "running" || piece === undefined) return finish()
      const isLast = index === pieces.length - 1
      if ("bytes" in piece) {
        index++
        return send(piece.bytes, isLast)
      }
      if (position === -1) position = piece.start
      const left = piece.end - position + 1
      const wanted = pace === undefined ? left : Math.min(left, pace.chunk)
      const buffer = pool.take(wanted)
      held = buffer
      isReading = true
      read(handle.fd, buffer, 0, Math.min(wanted, buffer.length), position, (error, count) => {
        isReading = false
        if (state !== "running" || error !== null || count === 0) {
          give(true)
          response.destroy()
          return finish()
        }
        position += count
        const isPieceDone = position > piece.end
        if (isPieceDone) {
          index++
          position = -1
        }
        send(count === buffer.length ? buffer : buffer.subarray(0, count), isPieceDone && isLast)
      })
    }

    if (response.destroyed || !handles.retain(handle)) {
      response.destroy()
      return resume(Effect.void)
    }
    response.once("close", onClose)
    step()
    return Effect.sync(() => {
      if (state === "running") state = "stopped"
      if (isReading || isWriting) return
      give(true)
      finish()
    })
  })
