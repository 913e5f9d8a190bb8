import { Data, Effect, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Maximum bytes per read: what a system socket buffers. */
const readSize = 256 * 1024

/** The machine has no descriptors left, or no folder for temporary files. */
export class NoSocket extends Data.TaggedError("NoSocket")<{ readonly cause: unknown }> {}

/**
 * Receives the bytes of a read: a part of one buffer, which the next read overwrites. Reading pauses until
 * `near.resume()`.
 */
export type OnRead = (bytes: Uint8Array) => void

/**
 * Two connected sockets: what a child writes to `far`, `near` reads into one buffer, without garbage. The first read
 * starts by itself. Pipes of child processes allocate each chunk anew, which at hundreds of mebibytes per second keeps
 * the garbage collector busy. Both close with the scope.
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
  // A private folder, for as long as the two sockets need a path to connect.
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
              // Deferred: if reading were resumed inside this callback, its return value would pause it again.
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
            // Reading is active from now on: each read pauses it, and only `resume` continues.
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
