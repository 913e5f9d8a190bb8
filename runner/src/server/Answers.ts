import { Duration, Effect, Option, Schema, Stream } from "effect"
import type { HttpClientError } from "effect/http/HttpClientError"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { Problem } from "./Protocol.ts"
import {
  JobLost,
  type ServerError,
  ServerRefused,
  ServerUnreachable,
  UnexpectedAnswer,
  UnknownRunner
} from "./ServerErrors.ts"

const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))

/** Maximum time for reading an answer of a few kilobytes. */
const readingTime = Duration.seconds(30)
const longestShown = 500

const shown = (value: unknown): string =>
  typeof value !== "string"
    ? ""
    : // oxlint-disable-next-line no-control-regex -- server messages are shown on terminals
      value.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ").slice(0, longestShown)

/** A plain-text message of a proxy in front of a server. HTML pages are not logged. */
const plain = (body: string): string => (/^\s*[<{[]/.test(body) ? "" : shown(body).trim().slice(0, 200))

/** The message of a transport error, without the URL, which is logged separately. */
export const unreachable = (error: HttpClientError): ServerUnreachable => {
  const cause: unknown = "cause" in error.reason ? error.reason.cause : undefined
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : undefined
  return new ServerUnreachable({ message: `No answer${code === undefined ? "" : ` (${code})`}` })
}

const again = new Set([408, 425, 429])

const lostCodes = new Set(["runner_job_not_in_processing_state", "runner_job_not_in_pending_state"])

/**
 * The meaning of a status other than 2xx. `aboutJob`: for requests about a job, where 404 and 409 mean that the job is
 * lost.
 */
const refusal = (status: number, body: string, aboutJob: boolean): ServerError => {
  const problem = Option.getOrElse(decodeProblem(body), (): Problem => ({}))
  const type = shown(problem.type)
  const code = shown(problem.code) || type.slice(Math.max(type.lastIndexOf("/"), type.lastIndexOf("#")) + 1)
  const message = `${status} ${shown(problem.detail) || shown(problem.error) || code || plain(body) || "without a reason"}`
  if (status >= 500 || again.has(status)) return new ServerUnreachable({ message })
  if (code === "unknown_runner_token") return new UnknownRunner({ message })
  if (lostCodes.has(code) || (aboutJob && (status === 404 || status === 409))) return new JobLost({ message })
  return new ServerRefused({ status, message, fields: Object.keys(problem["invalid-params"] ?? {}).map(shown) })
}

/** Answers of the protocol are a few kilobytes: ten jobs at most. */
const longestAnswer = 4 * 1024 ** 2

const collected = Effect.fnUntraced(function* (response: HttpClientResponse) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* response.stream.pipe(
    Stream.mapError(unreachable),
    Stream.runForEach((chunk) => {
      size += chunk.length
      if (size > longestAnswer) return Effect.fail(new UnexpectedAnswer({ message: "The answer is far too long" }))
      chunks.push(chunk)
      return Effect.void
    })
  )
  return Buffer.concat(chunks).toString()
})

const text = (response: HttpClientResponse) =>
  Effect.timeoutOrElse(collected(response), {
    duration: readingTime,
    orElse: () => Effect.fail(new ServerUnreachable({ message: "The answer did not end" }))
  })

/** Accepts 2xx; other statuses become errors. Redirects are refused, so that tokens reach no other server. */
export const succeeded = Effect.fnUntraced(function* (response: HttpClientResponse, aboutJob: boolean) {
  const { status } = response
  if (status >= 200 && status < 300) return response
  return yield* Effect.fail(refusal(status, yield* text(response), aboutJob))
})

/** Reads a JSON answer with a compiled decoder. */
export const answer = Effect.fnUntraced(function* <A>(
  response: HttpClientResponse,
  decode: (input: string) => Effect.Effect<A, Schema.SchemaError>,
  aboutJob = false
) {
  const ok = yield* succeeded(response, aboutJob)
  return yield* Effect.mapError(
    decode(yield* text(ok)),
    () =>
      new UnexpectedAnswer({
        message: "The answer is not what the protocol says: is this a PeerTube or Kinora server?"
      })
  )
})

/** An answer whose body does not matter. It is read anyway, to free the connection. */
export const done = Effect.fnUntraced(function* (response: HttpClientResponse, aboutJob: boolean) {
  yield* text(yield* succeeded(response, aboutJob))
})
