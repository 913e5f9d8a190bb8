import { type Duration, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import type { Socket } from "node:net"
import { type NoSocket, socketPair } from "./SocketPair.ts"

/** The standard output of a child process, chunk by chunk. */
export interface ChildBytes {
  /**
   * The next bytes, valid until the next call; undefined at the end of the output. The child can only write ahead as
   * much as the system buffers.
   */
  readonly next: Effect.Effect<Uint8Array | undefined>
  /** Waits for the child to end. */
  readonly ended: Effect.Effect<ChildEnd>
}

/** `code` is null if it was killed. `failure` is set if it never started. */
export interface ChildEnd {
  readonly code: number | null
  readonly failure?: Error
}

export interface ChildWork {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly timeout: Duration.Duration
  readonly onMessage: (line: string) => void
}

/** The whole process group: wrappers and what they started. */
const kill = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    child.kill("SIGKILL")
  }
}

const begin = (work: ChildWork, far: Socket) => {
  const { args, command, env, onMessage } = work
  const child = spawn(command, args, { env, detached: true, stdio: ["ignore", far, "pipe"] })
  // The child has its own copy: if ours stayed open, reading would never end.
  far.destroy()
  let rest = ""
  // Absent if the system could not create the child.
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = (lines.pop() ?? "").slice(0, 1000)
    for (const line of lines) onMessage(line)
  })
  const end = new Promise<ChildEnd>((resolve) => {
    child.on("error", (failure) => {
      if (child.pid === undefined) resolve({ code: null, failure })
    })
    child.once("close", (code) => {
      if (rest !== "") onMessage(rest)
      resolve({ code })
    })
  })
  return { child, end }
}

/**
 * Starts a child whose output is read on demand. It is killed, without warning, when the scope closes or the time is
 * over: output that nobody reads is useless. Fails if the machine has no descriptors left.
 */
export const childBytes = Effect.fnUntraced(function* (
  work: ChildWork
): Effect.fn.Return<ChildBytes, NoSocket, Scope.Scope> {
  let take: ((bytes: Uint8Array | undefined) => void) | undefined
  /** Data that arrived while nobody waited. */
  let held: Uint8Array | undefined
  const give = (bytes: Uint8Array) => {
    const waiting = take
    take = undefined
    if (waiting === undefined) held = bytes
    else waiting(bytes)
  }
  const { far, near } = yield* socketPair(give)
  near.once("close", () => take?.(undefined))

  const { child, end } = yield* Effect.acquireRelease(
    Effect.sync(() => begin(work, far)),
    (begun) =>
      Effect.promise(() => {
        kill(begun.child)
        return begun.end
      })
  )
  yield* Effect.forkScoped(
    Effect.andThen(
      Effect.sleep(work.timeout),
      Effect.sync(() => kill(child))
    )
  )

  const next = Effect.callback<Uint8Array | undefined>((resume) => {
    if (held !== undefined) {
      const bytes = held
      held = undefined
      return resume(Effect.succeed(bytes))
    }
    if (near.destroyed) return resume(Effect.undefined)
    take = (bytes) => resume(Effect.succeed(bytes))
    near.resume()
    return Effect.sync(() => {
      take = undefined
    })
  })

  return { next, ended: Effect.promise(() => end) }
})
