import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { FetchGuard } from "@kinora/federation/fetch/FetchGuard"
import type { ImportSource } from "@kinora/storage/video/write/NewImport"
import { Effect } from "effect"
import { isIP } from "node:net"
import { singleLine } from "./Cleaning.ts"

const sentences = {
  url: "Must be an address such as https://videos.example/films",
  scheme: "Must be an https address",
  credentials: "Must not hold a user or a password",
  port: "Must be an address on the usual port",
  address: "Must be an address of the public internet",
  downgrade: "Must be an https address"
} as const

/**
 * Checks a URL with those rules of the fetch guard that need no network. An address in the URL is checked now; where a
 * name leads is checked when it is fetched. An address in a private network is not invalid but forbidden.
 */
export const checkAddress = Effect.fnUntraced(function* (
  guard: FetchGuard["Service"],
  url: string,
  field: "targetUrl" | "externalChannelUrl" = "targetUrl"
) {
  const refuse = (what: keyof typeof sentences) => InvalidParameters.one(field, sentences[what], "body", url)
  const parsed = yield* Effect.mapError(guard.url(url), ({ what }) => refuse(what))
  const hostname = parsed.hostname.replace(/^\[|\]$/g, "")
  if (isIP(hostname) === 0 && !/(?:^|\.)localhost\.?$/i.test(hostname)) return
  yield* Effect.mapError(
    guard.addresses(hostname, guard.isUnusual(parsed)),
    () => new Forbidden({ reason: "Videos are not imported from private networks" })
  )
})

/**
 * The title of a video until its real one is known: the last part of the path, the name of the torrent, or the host.
 */
export const provisionalName = (source: ImportSource): string => {
  const fallback = "Imported video"
  const fit = (text: string) => singleLine(text, 3, 120)
  switch (source._tag) {
    case "Torrent":
      return fit(source.name.replace(/\.torrent$/i, "")) ?? fallback
    case "Magnet":
      return fit(URL.parse(source.uri)?.searchParams.get("dn") ?? "") ?? fallback
    case "Url": {
      const url = URL.parse(source.url)
      const last = url?.pathname.split("/").findLast((part) => part !== "") ?? ""
      return fit(unescaped(last)) ?? fit(url?.hostname ?? "") ?? fallback
    }
  }
}

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
