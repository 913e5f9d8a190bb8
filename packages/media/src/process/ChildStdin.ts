import { Duration, Effect, Option, type Scope } from "effect"
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import { Readable, type Writable } from "node:stream"

/** A child process that is fed through its standard input. */
export interface ChildStdin {
  /** Hands bytes over. Suspends while the child is behind with reading. Does nothing once it has ended. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** The same with bytes in several places, without copying them. */
  readonly writeAll: (parts: ReadonlyArray<Uint8Array>) => Effect.Effect<void>
  /** Says that no more bytes come. */
  readonly close: Effect.Effect<void>
  /** What it writes to the descriptors from 3 on. All have to be read to their ends. */
  readonly outputs: ReadonlyArray<Readable>
  /** Waits for the child to end, and for all its lines. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly failure?: Error }>
}

export interface StdinWork {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** Descriptors from 3 on that the child writes to. */
  readonly outputs?: number
  /** Receives each line of the standard output. What it gives is waited for before more is read: the child then waits, too. */
  readonly onLine: (line: string) => void | Promise<void>
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
export const eachLine = async (stream: Readable, take: (line: string) => void | Promise<void>): Promise<void> => {
  let rest = ""
  try {
    for await (const text of stream.setEncoding("utf8")) {
      const lines = `${rest}${text}`.split("\n")
      rest = (lines.pop() ?? "").slice(0, longestLine)
      for (const line of lines) await take(line)
    }
  } catch {
    // A pipe that breaks ends the output: the child's exit code says why.
  }
  if (rest !== "") await take(rest)
}

const begin = ({ args, command, env, onLine, onMessage, outputs: count = 0 }: StdinWork) => {
  const further = Array.from({ length: count }, () => "pipe" as const)
  // Further descriptors make the types lose the first three, which are there all the same.
  const child = spawn(command, args, {
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", ...further]
  }) as ChildProcessByStdio<Writable, Readable, Readable>
  // A child that ends leaves a broken pipe, which its exit code explains.
  child.stdin.on("error", () => {})
  const outputs = Promise.all([eachLine(child.stdout, onLine), eachLine(child.stderr, onMessage)])
  const end = new Promise<{ readonly code: number | null; readonly failure?: Error }>((resolve) => {
    child.on("error", (failure) => {
      if (child.pid === undefined) resolve({ code: null, failure })
    })
    child.once("close", (code) => void outputs.then(() => resolve({ code })))
  })
  // Absent where the system could not create the child.
  const written = child.stdio.slice(3).filter((it): it is Readable => it instanceof Readable)
  return { child, end, written }
}

/** Writes to a child what is in several places, without copying it. Suspends while it is behind with reading; does nothing once it has ended. */
export const writeAllTo =
  (stdin: Writable) =>
  (parts: ReadonlyArray<Uint8Array>): Effect.Effect<void> =>
    Effect.callback((resume) => {
      if (!stdin.writable) return resume(Effect.void)
      stdin.cork()
      for (const bytes of parts) stdin.write(bytes)
      stdin.uncork()
      if (!stdin.writableNeedDrain) return resume(Effect.void)
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
  const { child, end, written } = yield* Effect.acquireRelease(
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
  const writeAll = writeAllTo(child.stdin)
  return {
    write: (bytes) => writeAll([bytes]),
    writeAll,
    close: Effect.sync(() => void child.stdin.end()),
    outputs: written,
    ended: Effect.promise(() => end)
  }
})
