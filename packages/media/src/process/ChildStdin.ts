import { Duration, Effect, Option, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"

/** A child process that is fed through its standard input. */
export interface ChildStdin {
  /** Hands bytes over. Suspends while the child is behind with reading. Does nothing once it has ended. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Says that no more bytes come. */
  readonly close: Effect.Effect<void>
  /** Waits for the child to end, and for all its lines. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly failure?: Error }>
}

export interface StdinWork {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** Receives each line of the standard output. */
  readonly onLine: (line: string) => void
  /** Receives each line of the standard error. */
  readonly onMessage: (line: string) => void
}

/** A child that was asked to end is killed after this. */
const endWithin = Duration.seconds(2)

/** Signals a child and all that it started, if it has not ended. */
export const signal = (child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, name)
  } catch {
    child.kill(name)
  }
}

const longestLine = 10_000

/** Reads a stream line by line, to its end. */
export const eachLine = async (stream: Readable, take: (line: string) => void): Promise<void> => {
  let rest = ""
  try {
    for await (const text of stream.setEncoding("utf8")) {
      const lines = `${rest}${text}`.split("\n")
      rest = (lines.pop() ?? "").slice(0, longestLine)
      for (const line of lines) take(line)
    }
  } catch {
    // A pipe that breaks ends the output: the child's exit code says why.
  }
  if (rest !== "") take(rest)
}

const begin = ({ args, command, env, onLine, onMessage }: StdinWork) => {
  const child = spawn(command, args, { env, detached: true, stdio: ["pipe", "pipe", "pipe"] })
  // A child that ends leaves a broken pipe, which its exit code explains.
  child.stdin.on("error", () => {})
  const outputs = Promise.all([eachLine(child.stdout, onLine), eachLine(child.stderr, onMessage)])
  const end = new Promise<{ readonly code: number | null; readonly failure?: Error }>((resolve) => {
    child.on("error", (failure) => {
      if (child.pid === undefined) resolve({ code: null, failure })
    })
    child.once("close", (code) => void outputs.then(() => resolve({ code })))
  })
  return { child, end }
}

/** Writes to a child. Suspends while it is behind with reading; does nothing once it has ended. */
export const writeTo =
  (stdin: Writable) =>
  (bytes: Uint8Array): Effect.Effect<void> =>
    Effect.callback((resume) => {
      if (!stdin.writable || stdin.write(bytes)) return resume(Effect.void)
      const go = () => {
        stdin.off("drain", go).off("close", go)
        resume(Effect.void)
      }
      stdin.once("drain", go).once("close", go)
      return Effect.sync(() => void stdin.off("drain", go).off("close", go))
    })

/** Starts such a child. When the scope closes it is asked to end, and killed two seconds later. */
export const childStdin = Effect.fnUntraced(function* (
  work: StdinWork
): Effect.fn.Return<ChildStdin, never, Scope.Scope> {
  const { child, end } = yield* Effect.acquireRelease(
    Effect.sync(() => begin(work)),
    Effect.fnUntraced(function* (begun) {
      signal(begun.child, "SIGTERM")
      const ended = Effect.promise(() => begun.end)
      const inTime = yield* Effect.timeoutOption(Effect.interruptible(ended), endWithin)
      if (Option.isSome(inTime)) return
      signal(begun.child, "SIGKILL")
      yield* ended
    })
  )
  return {
    write: writeTo(child.stdin),
    close: Effect.sync(() => void child.stdin.end()),
    ended: Effect.promise(() => end)
  }
})
