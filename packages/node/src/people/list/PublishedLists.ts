import { type FetchError, type FetchReason, isTransient } from "@kinora/federation/fetch/FetchError"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** A list could not be fetched, or is none. The message is for those who subscribed: it names no host and no address. */
export class ListUnusable extends Data.TaggedError("ListUnusable")<{ readonly message: string }> {}

const wholeMillis = Duration.toMillis(Duration.seconds(30))
/** An entity tag (RFC 9110, 8.8.3) that is worth keeping. */
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/

/** What was found at the address of a list. */
export interface FetchedList {
  readonly document: unknown
  /** Asks later whether it is still the same; undefined: its server offers none. */
  readonly etag: string | undefined
}

/** Many hosts serve such files as plain text. */
const types = ["application/json", "application/ld+json", "text/json", "text/plain"]

/** How much one answer may hold. */
const bounds = { maxBytes: 4 * 1024 * 1024, limits: { maxDepth: 8, maxItems: 25_000, maxValues: 250_000 } }

const sentences: Readonly<Record<FetchReason["_tag"], string>> = {
  Refused: "Its address is not allowed",
  TooManyRedirects: "It redirects too often",
  TooLarge: `It is larger than ${bounds.maxBytes / 1024 / 1024} MiB`,
  WrongType: "It is not served as JSON",
  TimedOut: "It did not answer in time",
  BadStatus: "Its server answered with an error",
  Unreachable: "Its server cannot be reached",
  Malformed: "It is no JSON, or has too many entries",
  Busy: "Its server was asked too much lately",
  NotWritten: "It could not be stored"
}

const messageOf = ({ reason }: FetchError): string =>
  reason._tag === "BadStatus" ? `Its server answered with the status ${reason.status}` : sentences[reason._tag]

const isUnchanged = ({ reason }: FetchError): boolean => reason._tag === "BadStatus" && reason.status === 304

/** Fetches lists that others publish, as JSON, by the rules of `GuardedFetch`. */
export class PublishedLists extends Context.Service<
  PublishedLists,
  {
    /** With the entity tag of an answer before, the server may answer that the list is still the same. */
    readonly fetch: (url: string, etag?: string) => Effect.Effect<FetchedList | "unchanged", ListUnusable>
  }
>()("@kinora/node/people/list/PublishedLists") {
  static readonly layer = Layer.effect(
    PublishedLists,
    Effect.gen(function* () {
      const fetcher = yield* GuardedFetch
      const own = new URL((yield* KinoraConfig).derived.origin).host

      const failed = Effect.fnUntraced(function* (error: FetchError) {
        if (!isTransient(error)) yield* Effect.logInfo("A list that is subscribed to cannot be fetched", error)
        return yield* new ListUnusable({ message: messageOf(error) })
      })

      const fetch = Effect.fn("PublishedLists.fetch")(function* (url: string, etag?: string) {
        const headers = etag === undefined ? {} : { "if-none-match": etag }
        const answer = yield* fetcher
          .json(url, { types, wholeMillis, headers, ...bounds })
          .pipe(
            Effect.catch((error) =>
              etag !== undefined && isUnchanged(error) ? Effect.succeed("unchanged" as const) : failed(error)
            )
          )
        if (answer === "unchanged") return answer
        if (new URL(answer.url).host === own) {
          return yield* new ListUnusable({ message: "It leads back to this instance" })
        }
        const given = answer.headers.etag
        return { document: answer.value, etag: given !== undefined && entityTag.test(given) ? given : undefined }
      })

      return PublishedLists.of({ fetch })
    })
  )
}
