import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import { Effect } from "effect"
import { isIP } from "node:net"

const sentences = {
  url: "Must be an address such as https://videos.example/list.json",
  scheme: "Must be an https address",
  credentials: "Must not hold a user or a password",
  port: "Must be an address on the usual port",
  address: "Must be an address of the public internet",
  downgrade: "Must be an https address"
} as const

const longest = 2_000

/**
 * Checks the address of a list with those rules of the fetch guard that need no network, and gives it in the one form in which it
 * is kept. Where a name leads is checked when it is fetched. This instance does not subscribe to itself.
 */
export const checkListAddress = Effect.fnUntraced(function* (
  guard: FetchGuard["Service"],
  ownHost: string,
  text: string
) {
  const refuse = (sentence: string) => InvalidParameters.one("url", sentence, "body", text)
  const url = yield* Effect.mapError(guard.url(text), ({ what }) => refuse(sentences[what]))
  url.hash = ""
  if (url.href.length > longest) return yield* refuse(`Must be an address of at most ${longest} characters`)
  if (url.host === ownHost) return yield* refuse("Must be an address of another instance")
  const hostname = url.hostname.replace(/^\[|\]$/g, "")
  if (isIP(hostname) !== 0 || /(?:^|\.)localhost\.?$/i.test(hostname)) {
    yield* Effect.mapError(guard.addresses(hostname, guard.isUnusual(url)), () => refuse(sentences.address))
  }
  return url
})
