import { Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import type { Configuration } from "../platform/config/Configuration.ts"
import { failure, type Finding, good, warning } from "./DoctorReport.ts"

/** Whether a server at this address answers the ping of the REST API. */
const answersPing = Effect.fnUntraced(function* (base: string) {
  const client = yield* HttpClient.HttpClient
  return yield* client.get(`${base}/api/v1/ping`).pipe(
    Effect.flatMap((response) => Effect.map(response.text, (body) => ({ status: response.status, body }))),
    Effect.timeout("5 seconds"),
    Effect.map(({ body, status }) => (status === 200 && body.includes("pong") ? "pong" : `status ${status}`)),
    Effect.option
  )
})

const urlHost = (hostname: string): string =>
  hostname === "0.0.0.0"
    ? "127.0.0.1"
    : hostname === "::"
      ? "[::1]"
      : hostname.includes(":")
        ? `[${hostname}]`
        : hostname

/** Whether the instance runs on the address it listens on. */
export const isRunning = (config: Configuration) =>
  Effect.map(answersPing(`http://${urlHost(config.listen.hostname)}:${config.listen.port}`), Option.contains("pong"))

const local = /^(localhost|127\.|\[::1\])/

/** Whether the public address leads to the instance. */
export const checkAddress = Effect.fnUntraced(function* (
  config: Configuration,
  running: boolean
): Effect.fn.Return<ReadonlyArray<Finding>, never, HttpClient.HttpClient> {
  const { origin } = config.derived
  const subject = "public URL"
  if (local.test(config.webserver.hostname)) {
    return [
      warning(
        subject,
        `${origin} is reachable from this machine only`,
        "Set KINORA_WEBSERVER_HOSTNAME, KINORA_WEBSERVER_PORT and KINORA_WEBSERVER_HTTPS before others federate with it."
      )
    ]
  }
  const findings: Array<Finding> = []
  if (!config.webserver.https) {
    findings.push(
      warning(subject, `${origin} is not https`, "Others do not federate without https: set KINORA_WEBSERVER_HTTPS.")
    )
  }
  if (!running) {
    return [...findings, warning(subject, `${origin} was not tried`, "Start the instance and ask doctor again.")]
  }
  const answer = yield* answersPing(origin)
  const advice = "Check DNS, the firewall and the reverse proxy: docs/operating.md has examples."
  if (Option.isNone(answer)) return [...findings, failure(subject, `${origin} does not answer`, advice)]
  return answer.value === "pong"
    ? [...findings, good(subject, `${origin} leads here`)]
    : [...findings, failure(subject, `${origin} answers, but not as this instance (${answer.value})`, advice)]
})
