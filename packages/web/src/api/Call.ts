import { type Answer, ask } from "./Answer.ts"
import type { Input, Output, Route } from "./Endpoints.ts"
import { asUser } from "./Tokens.ts"
import { isLoggedIn } from "./StoredSession.ts"

/** Inputs of every endpoint, as far as sending goes. */
interface AnyInput {
  readonly params?: Readonly<Record<string, string | number | undefined>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly keepalive?: boolean
}

/** Endpoints that need no input may be called without one. */
type Inputs<R extends Route> = {} extends Input<R> ? [input?: Input<R>] : [input: Input<R>]

/** The address of a request: parameters in their places (`:name?` may be missing), and a query in which lists repeat their name. */
export const addressOf = (path: string, { params = {}, query = {} }: AnyInput): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one))
  }
  const filled = path.replaceAll(/\/:(\w+)(\??)/g, (_, name: string, optional: string) => {
    const value = params[name]
    return value === undefined && optional !== "" ? "" : `/${encodeURIComponent(String(value ?? ""))}`
  })
  const text = search.toString()
  return text === "" ? filled : `${filled}?${text}`
}

const initOf = (method: string, { body, headers, keepalive, signal }: AnyInput): RequestInit => {
  const isForm = body instanceof FormData
  return {
    method,
    headers: { ...(body === undefined || isForm ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    ...(keepalive === undefined ? {} : { keepalive })
  }
}

/** Longest wait, in seconds, before a read that came too early is sent again without being asked to. */
const longestWait = 10

const send = async (address: string, init: RequestInit): Promise<Answer> => {
  const answer = await ask(address, init)
  const wait = answer.retryAfter ?? longestWait + 1
  if (answer.status !== 429 || init.method !== "GET" || wait > longestWait) return answer
  await new Promise((resolve) => setTimeout(resolve, wait * 1000))
  return await ask(address, init)
}

const prepared = (route: string, input: AnyInput) => {
  const [method = "GET", path = ""] = route.split(" ")
  return { address: addressOf(path, input), init: initOf(method, input) }
}

/** The one place where the contract is believed: what the server encodes by a schema is of its type. */
const believed = <R extends Route>(answer: Answer): Answer<Output<R>> => answer as Answer<Output<R>>

/** Calls an endpoint as `call` does, as a visitor whoever is logged in. */
export const callAsVisitor = async <R extends Route>(route: R, ...[given]: Inputs<R>): Promise<Answer<Output<R>>> => {
  const { address, init } = prepared(route, given ?? {})
  return believed<R>(await send(address, init))
}

/**
 * Calls an endpoint, `call("GET /api/v1/videos/:id", { params: { id } })`, as the user who is logged in or as a visitor. Never
 * throws: what went wrong is a `Failure`. Types come from the schemas that the server decodes and encodes with.
 */
export const call = async <R extends Route>(route: R, ...given: Inputs<R>): Promise<Answer<Output<R>>> => {
  if (!isLoggedIn()) return await callAsVisitor(route, ...given)
  const { address, init } = prepared(route, given[0] ?? {})
  return believed<R>(
    await asUser((access) =>
      send(address, { ...init, headers: { ...init.headers, authorization: `Bearer ${access}` } })
    )
  )
}
