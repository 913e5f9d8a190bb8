import { Data, Effect, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Bytes of one read at most: what a socket of the system holds. */
const readSize = 256 * 1024

/** The machine has no descriptors left, or no folder for temporary files. */
export class NoSocket extends Data.TaggedError("NoSocket")<{ readonly cause: unknown }> {}

/** Takes what was read: a part of one buffer, which the next read overwrites. Nothing is read until `near.resume()`. */
export type OnRead = (bytes: Uint8Array) => void

/**
 * Two connected sockets: what a child writes to `far`, `near` reads into one buffer, without making garbage. The
 * first read is made unasked. Pipes of child processes allocate each piece anew, which at hundreds of
 * mebibytes a second keeps the collector busy. Both end with the scope.
 */
export const socketPair = (
  onRead: OnRead
): Effect.Effect<{ readonly near: Socket; readonly far: Socket }, NoSocket, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(onRead), catch: (cause) => new NoSocket({ cause }) }),
    ({ far, near }) =>
      Effect.sync(() => {
        near.destroy()
        far.destroy()
      })
  )

const open = async (onRead: OnRead): Promise<{ readonly near: Socket; readonly far: Socket }> => {
  // A folder nobody else looks into, for as long as the two need a name to find each other.
  const folder = await mkdtemp(join(tmpdir(), "kinora-pair-"))
  const server = createServer({ pauseOnConnect: true })
  try {
    const path = join(folder, "s")
    return await new Promise((resolve, reject) => {
      server.once("error", reject)
      server.listen(path, () => {
        const near = connect({
          path,
          onread: {
            buffer: Buffer.allocUnsafeSlow(readSize),
            callback: (count, buffer) => {
              // Afterwards: reading that begins again in here would be stopped by what is given back.
              queueMicrotask(() => onRead(buffer.subarray(0, count)))
              return false
            }
          }
        })
        near.once("error", reject)
        const connected = new Promise<void>((done) => near.once("connect", done))
        server.once("connection", (far) => {
          near.off("error", reject)
          near.on("error", () => near.destroy())
          far.on("error", () => far.destroy())
          void connected.then(() => {
            // Flows from now on: only what is read stops it, and only `resume` begins it again.
            near.resume()
            resolve({ near, far })
          })
        })
      })
    })
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}
