/** What the API says of one wrong field. */
export interface WrongField {
  readonly name: string
  readonly reason: string
}

/** An answer of the API: `status` 0 when there was none. */
export interface Answer {
  readonly ok: boolean
  readonly status: number
  /** Last part of a problem document's `type`, such as `missing_two_factor`. */
  readonly code: string | undefined
  /** What the server says went wrong, in words for people. */
  readonly detail: string | undefined
  readonly wrong: ReadonlyArray<WrongField>
  /** The body of a success, when it is JSON. */
  readonly body: unknown
  /** Absent when there was no answer. */
  readonly headers?: Headers
}

export const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

/** `invalid-params` of a problem document (RFC 7807): by field, each with its message. */
const wrongFields = (problem: unknown): ReadonlyArray<WrongField> => {
  const params = property(problem, "invalid-params")
  if (typeof params !== "object" || params === null) return []
  return Object.entries(params).map(([name, it]) => ({ name, reason: textOf(property(it, "msg")) ?? "is not valid" }))
}

const bodyOf = async (response: Response): Promise<unknown> => {
  if (!(response.headers.get("content-type") ?? "").includes("json")) return undefined
  try {
    return await response.json()
  } catch {
    // Cut off on the way: the status alone says what is known.
    return undefined
  }
}

/** Sends a request and reads the whole answer; never throws. */
export const ask = async (path: string, init: RequestInit): Promise<Answer> => {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch {
    return { ok: false, status: 0, code: undefined, detail: undefined, wrong: [], body: undefined }
  }
  const answered = await bodyOf(response)
  return {
    ok: response.ok,
    status: response.status,
    code: response.ok ? undefined : textOf(property(answered, "type"))?.split("/").pop(),
    detail: response.ok ? undefined : textOf(property(answered, "detail")),
    wrong: response.ok ? [] : wrongFields(answered),
    body: response.ok ? answered : undefined,
    headers: response.headers
  }
}

export const json = (method: "POST" | "PUT", body: unknown): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json" }
})
