import { Context, Effect, Layer, Schema } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { type Progress, readBody, writeBody } from "./DecodedBody.ts"
import { makeExchange } from "./Exchange.ts"
import { type FetchError, type FetchReason, Malformed } from "./FetchError.ts"
import { FetchGuard } from "./FetchGuard.ts"
import type { FetchOptionsInput } from "./FetchOptions.ts"
import { type Answer, type FetchRequest, makeHops } from "./Hops.ts"
import { type JsonLimits, jsonLimits, scanJson } from "./JsonScan.ts"

/** What was fetched. */
export interface Fetched<A> {
  /** Where it was found after all redirects: what claims to live there must be compared with this. */
  readonly url: string
  /** Media type without parameters, in lower case. */
  readonly type: string
  readonly headers: IncomingHttpHeaders
  readonly value: A
}

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))
const utf8 = new Set(["utf-8", "utf8", "us-ascii"])

/** JSON of others: UTF-8 without a byte order mark (RFC 8259, 8.1), bounded before it is parsed. */
const parseJson = Effect.fnUntraced(function* (bytes: Uint8Array, charset: string | undefined, limits: JsonLimits) {
  if (charset !== undefined && !utf8.has(charset)) {
    return yield* new Malformed({ what: "charset", detail: charset.slice(0, 40) })
  }
  if (bytes.length === 0) return yield* new Malformed({ what: "empty", detail: "no body" })
  const broken = scanJson(bytes, limits)
  if (broken !== undefined) return yield* new Malformed({ what: broken, detail: "beyond the limits of JSON" })
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    catch: () => new Malformed({ what: "charset", detail: "not UTF-8" })
  })
  return yield* decodeJson(text).pipe(Effect.mapError(() => new Malformed({ what: "json", detail: "not valid JSON" })))
})

/** Text in the charset the answer names, else UTF-8; what cannot be read becomes replacement characters. */
const decodeText = (bytes: Uint8Array, charset: string | undefined) =>
  Effect.try({
    try: () => new TextDecoder(charset ?? "utf-8").decode(bytes),
    catch: () => new Malformed({ what: "charset", detail: (charset ?? "").slice(0, 40) })
  })

/**
 * The one way to ask the outside for something under a URL that others have named. See docs/decisions/guarded-fetch.md for
 * what it refuses. Nothing but redirects is followed; names and types the answer gives to itself never reach the disk. Every
 * fetch can be interrupted, which closes its connection.
 */
export class GuardedFetch extends Context.Service<
  GuardedFetch,
  {
    bytes(url: string, request: FetchRequest): Effect.Effect<Fetched<Uint8Array>, FetchError>
    text(url: string, request: FetchRequest): Effect.Effect<Fetched<string>, FetchError>
    /** The value is what JSON makes of it: decode it with a Schema. */
    json(
      url: string,
      request: FetchRequest & { readonly limits?: Partial<JsonLimits> }
    ): Effect.Effect<Fetched<unknown>, FetchError>
    /**
     * Writes the body to a file that must not exist yet; the value is its number of bytes. Nothing is left behind by a
     * failure or an interruption.
     */
    toFile(
      url: string,
      path: string,
      request: FetchRequest & { readonly progress?: Progress }
    ): Effect.Effect<Fetched<number>, FetchError>
  }
>()("@kinora/federation/fetch/GuardedFetch") {
  static readonly layerNoDeps: Layer.Layer<GuardedFetch, never, FetchGuard> = Layer.effect(
    GuardedFetch,
    Effect.gen(function* () {
      const guard = yield* FetchGuard
      const follow = makeHops(guard, yield* makeExchange(guard.options))

      const fetched =
        <A>(use: (answer: Answer) => Effect.Effect<A, FetchReason>) =>
        (answer: Answer): Effect.Effect<Fetched<A>, FetchReason> =>
          Effect.map(use(answer), (value) => ({
            url: answer.url.href,
            type: answer.type.essence,
            headers: answer.message.headers,
            value
          }))

      const encoded = (request: FetchRequest, encodings: string): FetchRequest => ({
        ...request,
        headers: { ...request.headers, "accept-encoding": encodings }
      })
      const compressed = "gzip, br, deflate"

      return GuardedFetch.of({
        bytes: (url, request) =>
          follow(
            url,
            encoded(request, request.part === undefined ? compressed : "identity"),
            fetched((answer) => readBody(answer.message, request.maxBytes))
          ).pipe(Effect.withSpan("GuardedFetch.bytes")),
        text: (url, request) =>
          follow(
            url,
            encoded(request, compressed),
            fetched((answer) =>
              Effect.flatMap(readBody(answer.message, request.maxBytes), (bytes) =>
                decodeText(bytes, answer.type.charset)
              )
            )
          ).pipe(Effect.withSpan("GuardedFetch.text")),
        json: (url, request) =>
          follow(
            url,
            encoded(request, compressed),
            fetched((answer) =>
              Effect.flatMap(readBody(answer.message, request.maxBytes), (bytes) =>
                parseJson(bytes, answer.type.charset, { ...jsonLimits, ...request.limits })
              )
            )
          ).pipe(Effect.withSpan("GuardedFetch.json")),
        toFile: (url, path, request) =>
          follow(
            url,
            // Media is compressed as it is.
            encoded(request, "identity"),
            fetched((answer) => writeBody(answer.message, path, request.maxBytes, request.progress))
          ).pipe(Effect.withSpan("GuardedFetch.toFile"))
      })
    })
  )

  /** With rules of its own. Where a `GuardedProxy` runs as well, give both `layerNoDeps` one `FetchGuard`. */
  static readonly layer = (options: FetchOptionsInput): Layer.Layer<GuardedFetch> =>
    GuardedFetch.layerNoDeps.pipe(Layer.provide(FetchGuard.layer(options)))
}
