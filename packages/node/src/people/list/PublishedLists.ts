import { type FetchError, type FetchReason, isTransient } from "@kinora/federation/fetch/FetchError"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { Context, Data, Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"

/** A list could not be fetched, or is none. The message is for those who subscribed: it names no host and no address. */
export class ListUnusable extends Data.TaggedError("ListUnusable")<{ readonly message: string }> {}

const wholeMillis = Duration.toMillis(Duration.seconds(30))
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

/** Fetches lists that others publish, as JSON, by the rules of `GuardedFetch`. */
export class PublishedLists extends Context.Service<
  PublishedLists,
  { readonly fetch: (url: string) => Effect.Effect<unknown, ListUnusable> }
>()("@kinora/node/people/list/PublishedLists") {
  static readonly layer = Layer.effect(
    PublishedLists,
    Effect.gen(function* () {
      const fetcher = yield* GuardedFetch
      const own = new URL((yield* KinoraConfig).derived.origin).host

      const fetch = Effect.fn("PublishedLists.fetch")(function* (url: string) {
        const { url: found, value } = yield* fetcher.json(url, { types, wholeMillis, ...bounds }).pipe(
          Effect.tapError((error) =>
            isTransient(error) ? Effect.void : Effect.logInfo("A list that is subscribed to cannot be fetched", error)
          ),
          Effect.mapError((error) => new ListUnusable({ message: messageOf(error) }))
        )
        if (new URL(found).host === own) return yield* new ListUnusable({ message: "It leads back to this instance" })
        return value
      })

      return PublishedLists.of({ fetch })
    })
  )
}
