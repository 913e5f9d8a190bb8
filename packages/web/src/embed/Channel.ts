/**
 * The messages that jschannel sends between windows, as JSON texts: a request is `{ id, method, params }`, its answer
 * `{ id, result }` or `{ id, error, message }`, and a notification `{ method, params }`. Methods are named `scope::name`.
 */

const scope = "peertube"

/** Longer texts are none of ours. */
const longest = 10_000

export type RequestId = number | string

interface Request {
  /** Absent in a notification, which nobody answers. */
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: unknown
}

/** A message of ours; undefined for whatever else pages send each other. */
const readMessage = (data: unknown): Request | undefined => {
  if (typeof data !== "string" || data.length > longest) return undefined
  let message: unknown
  try {
    message = JSON.parse(data)
  } catch {
    return undefined
  }
  if (typeof message !== "object" || message === null || !("method" in message)) return undefined
  const { method } = message
  if (typeof method !== "string" || !method.startsWith(`${scope}::`)) return undefined
  const id = "id" in message ? message.id : undefined
  if (id !== undefined && typeof id !== "number" && typeof id !== "string") return undefined
  return { id, method: method.slice(scope.length + 2), params: "params" in message ? message.params : undefined }
}

/** What a method refuses, in words for the developer of the page outside. */
export class Refusal extends Error {}

/** Does what a request asks for; what it returns is the answer. */
export type Method = (params: unknown, id: RequestId | undefined) => unknown

/** The answer comes later, perhaps from the next page. */
export const later = Symbol("later")

export interface Channel {
  readonly notify: (method: string, params: unknown) => void
  readonly answerTo: (id: RequestId, result?: unknown) => void
}

/** Listens to the window around this one, and to no other. */
export const openChannel = (outside: Window, methods: ReadonlyMap<string, Method>): Channel => {
  /** Known from the first message on. What is sent before that is the greeting alone. */
  let origin = "*"

  const send = (message: object) => outside.postMessage(JSON.stringify(message), origin)
  const notify = (method: string, params: unknown) => send({ method: `${scope}::${method}`, params })

  const answer = async ({ id, method, params }: Request): Promise<void> => {
    const run = methods.get(method)
    if (id === undefined) return void run?.(params, id)
    if (run === undefined) return send({ id, error: "method_not_found", message: `There is no method ${method}` })
    try {
      const result = await run(params, id)
      if (result !== later) send({ id, result })
    } catch (error) {
      send({ id, error: "runtime_error", message: error instanceof Error ? error.message : "failed" })
    }
  }

  addEventListener("message", (event) => {
    if (event.source !== outside) return
    const request = readMessage(event.data)
    if (request === undefined) return
    // A document without an origin of its own cannot be named.
    origin = event.origin === "null" ? "*" : event.origin
    if (request.method !== "__ready") return void answer(request)
    // Whoever opened the channel second is greeted, and answers; the greeting of the first was heard by nobody.
    if (JSON.stringify(request.params).includes("publish-request")) {
      notify("__ready", { type: "publish-reply", publish: [] })
    }
  })
  notify("__ready", { type: "publish-request", publish: [] })

  return { notify, answerTo: (id, result) => send({ id, result }) }
}
