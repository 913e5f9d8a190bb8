import { ConfigProvider, Console, Effect, Exit, FileSystem, Runtime, Stdio, Stream } from "effect"
import { kinora } from "../../src/cli/Kinora.ts"

/** What a command printed, and the code the process would end with. */
export interface CliOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CliInput {
  readonly env?: Record<string, string>
  readonly stdin?: string
  readonly serve?: Effect.Effect<void, Error>
}

/** Runs the command line as `main.ts` does, with this environment instead of the process's. */
export const runCli = Effect.fnUntraced(function* (args: ReadonlyArray<string>, input: CliInput = {}) {
  const out: Array<string> = []
  const err: Array<string> = []
  const console_: Console.Console = {
    ...globalThis.console,
    log: (...values: ReadonlyArray<unknown>) => void out.push(values.join(" ")),
    error: (...values: ReadonlyArray<unknown>) => void err.push(values.join(" "))
  }
  const stdio = Stdio.layerTest({
    args: Effect.succeed(args),
    stdin: Stream.make(new TextEncoder().encode(input.stdin ?? ""))
  })
  const exit = yield* kinora({ serve: input.serve ?? Effect.void }).pipe(
    Effect.provide(stdio),
    Effect.provideService(Console.Console, console_),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: input.env ?? {} })),
    Effect.exit
  )
  let code = 0
  Runtime.defaultTeardown(exit, (value) => {
    code = value
  })
  if (Exit.isFailure(exit)) yield* Effect.logDebug(exit.cause)
  return { code, out: out.join("\n"), err: err.join("\n") } satisfies CliOutcome
})

/** A data folder that the embedded database's own user can get at, as a data folder of an operator is. */
export const dataFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-cli-" })
  yield* fs.chmod(folder, 0o755)
  return folder
})
