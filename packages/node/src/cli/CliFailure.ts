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

/** Why nothing can listen on an address, by the code of the failure. */
const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use: another program listens there. Stop it, or choose another port",
  EACCES: "is not allowed to this user. Choose a port from 1024 on, behind a reverse proxy",
  EADDRNOTAVAIL: "is no address of this machine. Choose one that is"
}

/** What the failure to listen means, and what to do about it; undefined for any other failure. */
const listenMessage = (cause: unknown): string | undefined => {
  if (!Predicate.hasProperty(cause, "code") || !Predicate.hasProperty(cause, "address")) return undefined
  const problem = listenProblems[String(cause.code)]
  if (problem === undefined || !Predicate.hasProperty(cause, "port")) return undefined
  return `The address ${String(cause.address)}:${String(cause.port)} ${problem} (KINORA_LISTEN_HOSTNAME, KINORA_LISTEN_PORT).`
}

/** The error's own message, or else what its cause says. */
const messageOf = (error: Error): string => {
  const fields = fieldsOf(error)
  if (fields.length > 0) return fields.join("\n").replaceAll(/[^\P{Cc}\n]/gu, " ")
  if (error.message !== "") return error.message
  const listening = listenMessage(error.cause)
  if (listening !== undefined) return listening
  return Predicate.hasProperty(error.cause, "message") ? String(error.cause.message) : error.name
}

/** Turns the typed errors of a command, whose messages are meant for people, into what the command line shows. */
export const toCliFailure = <A, E extends Error, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, CliFailure, R> =>
  Effect.mapError(
    effect,
    (error) => new CliFailure({ message: messageOf(error), exitCode: Runtime.getErrorExitCode(error) })
  )
