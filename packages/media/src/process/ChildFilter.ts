import { Effect, type Scope } from "effect"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { eachLine, signal, writeAllTo } from "./ChildStdin.ts"

/** A child process that bytes pass through: from its standard input to its standard output. */
export interface ChildFilter {
  /** Hands bytes over. Suspends while the child is behind with reading. Does nothing once it has ended. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Says that no more bytes come. */
  readonly close: Effect.Effect<void>
  /** The next bytes, for one reader; undefined at the end of the output. While nobody reads, the child has to wait. */
  readonly next: Effect.Effect<Buffer | undefined>
  /** Waits for the child to end, and for all its messages. Its output has to be read, or the scope to close. */
  readonly ended: Effect.Effect<{ readonly code: number | null; readonly failure?: Error }>
}

export interface FilterWork {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** Receives each line of the standard error. */
  readonly onMessage: (line: string) => void
}

const begin = ({ args, command, env, onMessage }: FilterWork) => {
  const child: ChildProcessWithoutNullStreams = spawn(command, args, { env, detached: true, stdio: "pipe" })
  // A child that ends leaves broken pipes, which its exit code explains.
  child.stdin.on("error", () => {})
  child.stdout.on("error", () => {})
  const messages = eachLine(child.stderr, onMessage)
  const end = new Promise<{ readonly code: number | null; readonly failure?: Error }>((resolve) => {
    child.on("error", (failure) => {
      if (child.pid === undefined) resolve({ code: null, failure })
    })
    child.once("exit", (code) => void messages.then(() => resolve({ code })))
  })
  return { child, end }
}

/** Starts such a child. It is killed, without warning, when the scope closes: nobody reads what it would still write. */
export const childFilter = Effect.fnUntraced(function* (
  work: FilterWork
): Effect.fn.Return<ChildFilter, never, Scope.Scope> {
  const { child, end } = yield* Effect.acquireRelease(
    Effect.sync(() => begin(work)),
    (begun) =>
      Effect.promise(() => {
        signal(begun.child, "SIGKILL")
        begun.child.stdout.destroy()
        return begun.end
      })
  )
  const { stdin, stdout } = child
  const writeAll = writeAllTo(stdin)
  let wake: (() => void) | undefined
  // Always listened for: at the child's exit Node.js throws away what is left in a pipe that nobody listens to.
  for (const event of ["readable", "end", "close"]) stdout.on(event, () => wake?.())
  const next = Effect.callback<Buffer | undefined>((resume) => {
    const look = () => {
      const bytes = stdout.read() as Buffer | null
      if (bytes === null && !stdout.readableEnded && !stdout.destroyed) return
      wake = undefined
      resume(Effect.succeed(bytes ?? undefined))
    }
    wake = look
    look()
    return Effect.sync(() => {
      wake = undefined
    })
  })
  return {
    write: (bytes) => writeAll([bytes]),
    close: Effect.sync(() => void stdin.end()),
    next,
    ended: Effect.promise(() => end)
  }
})
