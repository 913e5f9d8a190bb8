import { Data, Effect, Runtime } from "effect"
import { CliError } from "effect/cli"

/** A command failed. The message is shown as it is. It sets the exit code. */
export class CliFailure extends Data.TaggedError("CliFailure")<{
  readonly message: string
  readonly exitCode: number
}> {
  override get [CliError.userMessage](): string {
    return this.message
  }

  override get [Runtime.errorExitCode](): number {
    return this.exitCode
  }
}

/** Turns typed errors, whose messages are meant for people, into what the command line shows. */
export const toCliFailure = <A, E extends Error, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliFailure, R> =>
  Effect.mapError(
    effect,
    (error) => new CliFailure({ message: error.message, exitCode: Runtime.getErrorExitCode(error) })
  )
