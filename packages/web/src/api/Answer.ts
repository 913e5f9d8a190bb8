/** What the API says of one wrong field. */
export interface WrongField {
  readonly name: string
  readonly reason: string
}

/** A success, with the JSON it brought. */
export interface Success<A> {
  readonly ok: true
  readonly status: number
  readonly code: undefined
  readonly detail: undefined
  readonly wrong: readonly []
  readonly retryAfter: undefined
  /** Undefined where the answer is no JSON. */
  readonly body: A
  readonly headers: Headers
}

/** A refusal (problem document, RFC 9457), or no answer at all: then `status` is 0. */
export interface Failure {
  readonly ok: false
  readonly status: number
  /** Last part of a problem document's `type`, such as `missing_two_factor`. */
  readonly code: string | undefined
  /** What the server says went wrong, in words for people. */
  readonly detail: string | undefined
  readonly wrong: ReadonlyArray<WrongField>
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined
  readonly body: undefined
  /** Absent when there was no answer. */
  readonly headers?: Headers
}

/** An answer of the API. */
export type Answer<A = unknown> = Success<A> | Failure

export const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** `invalid-params` of a problem document: by field, each with its message. */
const wrongFields = (problem: unknown): ReadonlyArray<WrongField> => {
  const params = property(problem, "invalid-params")
  if (typeof params !== "object" || params === null) return []
  return Object.entries(params).map(([name, it]) => ({ name, reason: textOf(property(it, "msg")) ?? "is not valid" }))
}

/** `Retry-After` in seconds: a number of them, or a date (RFC 9110, 10.2.3). */
const retryAfterOf = (headers: Headers): number | undefined => {
  const given = headers.get("retry-after")
  if (given === null) return undefined
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

const parsed = (headers: Headers, text: string): unknown => {
  if (!(headers.get("content-type") ?? "").includes("json")) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Cut off on the way: the status alone says what is known.
    return undefined
  }
}

/** No answer: no connection, or the request was aborted. */
export const unanswered: Failure = {
  ok: false,
  status: 0,
  code: undefined,
  detail: undefined,
  wrong: [],
  retryAfter: undefined,
  body: undefined
}

/** Reads an answer from its status, headers and text. */
export const answerOf = (status: number, headers: Headers, text: string): Answer => {
  const body = parsed(headers, text)
  if (status >= 200 && status < 300) {
    return { ok: true, status, code: undefined, detail: undefined, wrong: [], retryAfter: undefined, body, headers }
  }
  return {
    ok: false,
    status,
    code: textOf(property(body, "type"))?.split("/").pop(),
    detail: textOf(property(body, "detail")),
    wrong: wrongFields(body),
    retryAfter: retryAfterOf(headers),
    body: undefined,
    headers
  }
}

/** Sends a request and reads the whole answer; never throws. */
export const ask = async (path: string, init: RequestInit): Promise<Answer> => {
  try {
    const response = await fetch(path, init)
    return answerOf(response.status, response.headers, await response.text())
  } catch {
    return unanswered
  }
}

export const json = (method: "POST" | "PUT", body: unknown): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" }
})
