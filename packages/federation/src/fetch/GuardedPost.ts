import { Clock, Context, Effect, Layer, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { makeExchange } from "./Exchange.ts"
import { FetchError, type FetchReason, TimedOut, Unreachable } from "./FetchError.ts"
import { endpointOf, FetchGuard } from "./FetchGuard.ts"
import { retryAfterMillis } from "./RetryAfter.ts"

/** What is sent. */
export interface PostRequest {
  /** Names in lower case: among them the signature over `url` and `body`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** For all of it, names and connection included, in milliseconds. */
  readonly wholeMillis: number
  /** Longest `Retry-After` that is honoured, in milliseconds. */
  readonly maxRetryAfterMillis: number
  /** So many bytes of the beginning of the answer's body are given, as they come. Default none. */
  readonly keptAnswerBytes?: number
}

/** The answer: whatever its status, it is for the caller to judge. Redirects are not followed. */
export interface Posted {
  readonly status: number
  /** What the host asked for with a 429 or 503, clamped. */
  readonly retryAfterMillis?: number
  /** The beginning of the body, where it was asked for. */
  readonly answer: Uint8Array
}

/** Idle connections to hosts that were delivered to: the next activity for them comes soon or not at all. */
const idleConnections = 256
/** Nobody answers an activity with more that is worth a connection. */
const mostAnswerBytes = 64 * 1024
const held = new Set([429, 503])

/**
 * Reads an answer to its end, so that its connection can be used again, and gives its first bytes; gives up when it is long.
 */
const drain = (message: IncomingMessage, kept: number) =>
  Effect.callback<Uint8Array>((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    message.on("data", (chunk: Buffer) => {
      if (bytes < kept) chunks.push(chunk.subarray(0, kept - bytes))
      bytes += chunk.length
      if (bytes > mostAnswerBytes) message.destroy()
    })
    const end = () => resume(Effect.succeed(Buffer.concat(chunks)))
    message.on("close", end)
    message.on("end", end)
  })

/**
 * The one way to give somebody outside something under a URL that they have named: the rules are those of `GuardedFetch`,
 * its places are not. How many are sent at once, and to whom next, is for the caller to say: deliveries to hosts that do not
 * answer must not stand in the way of fetches.
 */
export class GuardedPost extends Context.Service<
  GuardedPost,
  {
    /** Sends once. A failure is one of the network, or of the rules (`Refused`), before which nothing was sent. */
    post(url: string, request: PostRequest): Effect.Effect<Posted, FetchError>
  }
>()("@kinora/federation/fetch/GuardedPost") {
  static readonly layerNoDeps: Layer.Layer<GuardedPost, never, FetchGuard> = Layer.effect(
    GuardedPost,
    Effect.gen(function* () {
      const guard = yield* FetchGuard
      const exchange = yield* makeExchange({ ...guard.options, idleConnections })

      const send = Effect.fnUntraced(function* (
        text: string,
        request: PostRequest
      ): Effect.fn.Return<Posted, FetchReason, Scope.Scope> {
        const url = yield* guard.url(text)
        const addresses = yield* guard.addresses(endpointOf(url).hostname, guard.isUnusual(url))
        const headers = {
          ...request.headers,
          "content-length": String(request.body.length),
          "user-agent": guard.options.userAgent
        }
        const message = yield* exchange.send({ url, headers, body: request.body }, addresses)
        const answer = yield* drain(message, request.keptAnswerBytes ?? 0)
        const status = message.statusCode ?? 0
        const asked = held.has(status)
          ? retryAfterMillis(
              message.headers["retry-after"],
              yield* Clock.currentTimeMillis,
              request.maxRetryAfterMillis
            )
          : undefined
        return { status, answer, ...(asked !== undefined && { retryAfterMillis: asked }) }
      })

      return GuardedPost.of({
        post: (url, request) =>
          send(url, request).pipe(
            Effect.scoped,
            Effect.timeoutOrElse({
              duration: request.wholeMillis,
              orElse: () => Effect.fail(new TimedOut({ phase: "whole" }))
            }),
            Effect.mapError((reason) => new FetchError({ url: url.slice(0, 500), reason }))
          )
      })
    })
  )
}

/** Whether a failed post says that the host does not answer, and not that it may not be asked. */
export const isHostSilent = ({ reason }: FetchError): boolean =>
  reason instanceof TimedOut || reason instanceof Unreachable
