import { Data, Effect } from "effect"
import type { AddressMode } from "../fetch/AddressPolicy.ts"
import type { FetchError } from "../fetch/FetchError.ts"
import type { FetchGuard } from "../fetch/FetchGuard.ts"
import type { GuardedFetch } from "../fetch/GuardedFetch.ts"
import type { FetchRequest } from "../fetch/Hops.ts"

/** A name or an IPv4 address, and a port. */
const host = /^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?(?::\d{1,5})?$/

/** Whether this is a host as handles have it: in lower case, with a port where it is not the scheme's own. */
const isHost = (text: string): boolean => host.test(text)

/** Not the name of a host. */
export class NoHost extends Data.TaggedError("NoHost") {}

/**
 * Schemes a host known by its name alone may be asked with, in order. Within networks of one's own there may be no TLS; the
 * guard sees to it that nothing public is asked without it.
 */
const schemes: Readonly<Record<AddressMode, ReadonlyArray<"http" | "https">>> = {
  public: ["https"],
  "public-and-private": ["https", "http"],
  private: ["https", "http"],
  loopback: ["http"]
}

/** Most entries of a list or an object in what a host says of itself, and most bytes of it. */
const maxItems = 100
const maxBytes = 65_536

/** JSON a host serves at a path of its own, and the origin it answered at. */
export const askHost = Effect.fnUntraced(function* (
  guard: FetchGuard["Service"],
  fetch: GuardedFetch["Service"],
  name: string,
  path: string,
  types: FetchRequest["types"]
): Effect.fn.Return<{ readonly origin: string; readonly value: unknown }, FetchError | NoHost> {
  if (!isHost(name)) return yield* new NoHost()
  const [first, ...others] = schemes[guard.options.addresses].map((scheme) =>
    Effect.map(fetch.json(`${scheme}://${name}${path}`, { types, maxBytes, limits: { maxItems } }), ({ value }) => ({
      origin: `${scheme}://${name}`,
      value
    }))
  )
  return yield* others.reduce(
    (ask, next) =>
      // Nobody there speaks TLS.
      Effect.catchIf(
        ask,
        ({ reason }) => reason._tag === "Unreachable",
        () => next
      ),
    first!
  )
})
