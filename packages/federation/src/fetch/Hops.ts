import { Clock, Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import type { Exchange } from "./Exchange.ts"
import {
  BadStatus,
  type Busy,
  FetchError,
  type FetchReason,
  isHostFailure,
  Malformed,
  Refused,
  TimedOut,
  TooManyRedirects,
  WrongType
} from "./FetchError.ts"
import { endpointOf, type FetchGuard } from "./FetchGuard.ts"
import type { Ticket } from "./HostBudget.ts"
import { isAmong, type MediaType, parseMediaType } from "./MediaType.ts"
import { retryAfterMillis } from "./RetryAfter.ts"
import { isActivityType } from "../negotiation/ActivityTypes.ts"

/** What is asked for. */
export interface FetchRequest {
  /** Media types that are taken, in lower case: `application/activity+json`, `image/*`. Without `accept`, asked for, too. */
  readonly types: ReadonlyArray<string>
  /** Most bytes of the body, decoded. */
  readonly maxBytes: number
  /** Headers by their names in lower case. `authorization` and `cookie` stay with the origin of the URL. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers made for each hop anew, such as a signature over its URL. */
  readonly sign?: (hop: {
    readonly method: "GET"
    readonly url: URL
  }) => Effect.Effect<Readonly<Record<string, string>>>
  /** Instead of the `wholeMillis` of the options. */
  readonly wholeMillis?: number
  /** Leave to ask what a name of the way resolves to, for as long as that hop lasts. */
  readonly admit?: (addresses: ReadonlyArray<string>) => Effect.Effect<void, Busy, Scope.Scope>
  /** The bytes from `first` to `last`, both included, and no others: the answer must be that part (RFC 9110, 14). */
  readonly part?: { readonly first: number; readonly last: number }
}

/** The answer after all redirects, its status and type checked, its body unread. */
export interface Answer {
  readonly url: URL
  readonly type: MediaType
  readonly message: IncomingMessage
}

/** A part (206) that was not asked for, nothing (204) or a promise (202) is not what a `GET` asked for. */
const whole = new Set([200, 203])
const redirects = new Set([301, 302, 303, 307, 308])
const secrets = new Set(["authorization", "cookie", "proxy-authorization"])
const held = new Set([429, 503])
const noHeaders: Readonly<Record<string, string>> = {}

const withoutSecrets = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !secrets.has(name.toLowerCase())))

/** A URL as errors name it: queries hold tokens, and whatever is not for the web may be all content. */
const named = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return "(not a URL)"
  return /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}`.slice(0, 500) : url.protocol
}

/** Whether an answer is the part that was asked for, and not another one or all there is. */
const isPart = (
  { headers, statusCode }: IncomingMessage,
  { first, last }: NonNullable<FetchRequest["part"]>
): boolean => statusCode === 206 && (headers["content-range"] ?? "").startsWith(`bytes ${first}-${last}/`)

/** What a failure says of the host: that it fails as a host, that it answers, or nothing. */
const report = (reason: FetchReason, ticket: Ticket): Effect.Effect<void> => {
  if (isHostFailure(reason)) return ticket.failed
  const silent = reason._tag === "Refused" || reason._tag === "NotWritten" || reason._tag === "Busy"
  return silent ? Effect.void : ticket.answered
}

type Outcome<A> = { readonly _tag: "Next"; readonly url: URL } | { readonly _tag: "Done"; readonly value: A }

/**
 * Follows a URL hop by hop to its answer, each hop held against the rules as the first one is, and hands the answer to
 * `use` while its connection and its place at the host last.
 */
export const makeHops = (guard: FetchGuard["Service"], exchange: Exchange) => {
  const { options } = guard

  const next = Effect.fnUntraced(function* (from: URL, location: string | undefined) {
    if (location === undefined) return yield* new Malformed({ what: "redirect", detail: "no Location" })
    const url = yield* guard.url(location, from)
    if (from.protocol === "https:" && url.protocol !== "https:") {
      return yield* new Refused({ what: "downgrade", detail: "from https to http" })
    }
    return url
  })

  /** Lets statuses pass that have an answer or a place where it is; a host that asks for peace gets it. */
  const judge = Effect.fnUntraced(function* (message: IncomingMessage, ticket: Ticket, part: FetchRequest["part"]) {
    const status = message.statusCode ?? 0
    if (redirects.has(status) || (part === undefined ? whole.has(status) : isPart(message, part))) return
    const now = yield* Clock.currentTimeMillis
    const asked = held.has(status)
      ? retryAfterMillis(message.headers["retry-after"], now, options.host.maxRestMillis)
      : undefined
    if (asked === undefined) return yield* new BadStatus({ status })
    yield* ticket.heldBack(asked)
    return yield* new BadStatus({ status, retryAfterMillis: asked })
  })

  const hop = Effect.fnUntraced(function* <A>(
    url: URL,
    request: FetchRequest,
    headers: Readonly<Record<string, string>>,
    entered: (ticket: Ticket) => void,
    use: (answer: Answer) => Effect.Effect<A, FetchReason>
  ): Effect.fn.Return<Outcome<A>, FetchReason> {
    return yield* Effect.gen(function* () {
      const endpoint = endpointOf(url)
      const { part } = request
      const ticket = yield* guard.enter(endpoint)
      entered(ticket)
      return yield* Effect.gen(function* () {
        const addresses = yield* guard.addresses(endpoint.hostname, guard.isUnusual(url))
        if (request.admit !== undefined) yield* request.admit(addresses)
        const signed = request.sign === undefined ? noHeaders : yield* request.sign({ method: "GET", url })
        const range = part === undefined ? noHeaders : { range: `bytes=${part.first}-${part.last}` }
        const sent = {
          accept: request.types.join(", "),
          ...headers,
          ...range,
          ...signed,
          "user-agent": options.userAgent
        }
        const message = yield* exchange.send({ url, headers: sent }, addresses)
        yield* judge(message, ticket, part)
        if (redirects.has(message.statusCode ?? 0)) {
          return { _tag: "Next" as const, url: yield* next(url, message.headers.location) }
        }
        const type = parseMediaType(message.headers["content-type"])
        const isOther = type.essence === "application/ld+json" && !isActivityType(message.headers["content-type"])
        if (isOther || !isAmong(type.essence, request.types)) return yield* new WrongType({ type: type.essence })
        return { _tag: "Done" as const, value: yield* use({ url, type, message }) }
      }).pipe(
        Effect.tap(() => ticket.answered),
        Effect.tapError((reason) => report(reason, ticket))
      )
    }).pipe(Effect.scoped)
  })

  const walk = Effect.fnUntraced(function* <A>(
    text: string,
    request: FetchRequest,
    at: (url: string) => void,
    entered: (ticket: Ticket) => void,
    use: (answer: Answer) => Effect.Effect<A, FetchReason>
  ) {
    let url = yield* guard.url(text)
    let headers = request.headers ?? noHeaders
    const visited = new Set<string>()
    for (;;) {
      at(url.href)
      visited.add(url.href)
      const outcome = yield* hop(url, request, headers, entered, use)
      if (outcome._tag === "Done") return outcome.value
      if (visited.size > options.maxRedirects || visited.has(outcome.url.href)) {
        return yield* new TooManyRedirects({ hops: visited.size })
      }
      if (outcome.url.origin !== url.origin) headers = withoutSecrets(headers)
      url = outcome.url
    }
  })

  return Effect.fnUntraced(function* <A>(
    text: string,
    request: FetchRequest,
    use: (answer: Answer) => Effect.Effect<A, FetchReason>
  ) {
    let current = text
    let place: Ticket | undefined
    const late = Effect.suspend(() => Effect.andThen(place?.failed ?? Effect.void, new TimedOut({ phase: "whole" })))
    return yield* walk(
      text,
      request,
      (url) => {
        current = url
        place = undefined
      },
      (ticket) => {
        place = ticket
      },
      use
    ).pipe(
      Effect.timeoutOrElse({ duration: request.wholeMillis ?? options.wholeMillis, orElse: () => late }),
      Effect.mapError((reason) => new FetchError({ url: named(current), reason }))
    )
  })
}
