import { isProblemError } from "@kinora/domain/errors/ProblemError"
import { Data, Effect, Predicate, Runtime } from "effect"
import { CliError } from "effect/cli"

/** A command failed. The message is shown as it is, without a stack trace. It sets the exit code. */
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

/** Problems of single fields, such as settings, each on a line; control characters in them do not reach the terminal. */
const fieldsOf = (error: Error): ReadonlyArray<string> =>
  isProblemError(error) ? Object.entries(error.invalidParams ?? {}).map(([name, { msg }]) => `${name}: ${msg}`) : []

/** The error's own message, or else that of its cause: `listen EADDRINUSE: address already in use 127.0.0.1:9000`. */
const messageOf = (error: Error): string => {
  const fields = fieldsOf(error)
  if (fields.length > 0) return fields.join("\n").replaceAll(/[^\P{Cc}\n]/gu, " ")
  if (error.message !== "") return error.message
  return Predicate.hasProperty(error.cause, "message") ? String(error.cause.message) : error.name
}

/** Turns the typed errors of a command, whose messages are meant for people, into what the command line shows. */
export const toCliFailure = <A, E extends Error, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliFailure, R> =>
  Effect.mapError(
    effect,
    (error) => new CliFailure({ message: messageOf(error), exitCode: Runtime.getErrorExitCode(error) })
  )
