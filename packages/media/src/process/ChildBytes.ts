import { type Duration, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import type { Socket } from "node:net"
import { type NoSocket, socketPair } from "./SocketPair.ts"

/** What a child writes to its standard output, piece by piece. */
export interface ChildBytes {
  /**
   * The next bytes, valid until the next are asked for; undefined at the end of the output. The child writes on only
   * as far as the system holds what was not asked for.
   */
  readonly next: Effect.Effect<Uint8Array | undefined>
  /** How the child ended: waits for it. */
  readonly ended: Effect.Effect<ChildEnd>
}

/** `code` is null when it was killed; `failure` when it never began. */
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

/** Its whole process group: wrappers and what they started. */
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
  // The child has its own: with ours open, reading would never end.
  far.destroy()
  let rest = ""
  // Absent when the system had no room for the child.
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
 * Starts a child whose output is taken at the taker's pace. It is killed, without a warning, when the scope ends or the
 * time is over: output that nobody takes is of no use. Fails when the machine has no descriptors left.
 */
export const childBytes = Effect.fnUntraced(function* (
  work: ChildWork
): Effect.fn.Return<ChildBytes, NoSocket, Scope.Scope> {
  let take: ((bytes: Uint8Array | undefined) => void) | undefined
  /** Read while nobody waited. */
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
