import { isPublicAddress } from "@kinora/domain/network/PublicAddress"
import { Data, Effect } from "effect"
import { lookup } from "node:dns/promises"

/** A job names a stream that this runner does not read. */
export class StreamRefused extends Data.TaggedError("StreamRefused")<{ readonly message: string }> {}

const protocols: ReadonlySet<string> = new Set(["rtmp:", "rtmps:"])

const refused = (message: string) => Effect.fail(new StreamRefused({ message }))

/** A name in the brackets of an IPv6 address, or any other name. */
const nameOf = (hostname: string): string => hostname.replaceAll(/^\[|\]$/g, "")

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.")

const addressesOf = (hostname: string) =>
  Effect.tryPromise({
    try: async () => (await lookup(nameOf(hostname), { all: true })).map(({ address }) => address),
    catch: () => new StreamRefused({ message: `The host of the stream is not known: ${hostname}` })
  })

/**
 * The address of a live, if this runner may read it: by RTMP or RTMPS, at a public address, or where the job's own server is. A
 * server cannot use it to reach into the runner's network.
 */
export const streamAddress = Effect.fn("streamAddress")(function* (origin: string, text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !protocols.has(url.protocol) || /\s/.test(text) || url.hostname === "") {
    return yield* refused("The stream has no address of RTMP or RTMPS")
  }
  if (url.username !== "" || url.password !== "") return yield* refused("The address of the stream has credentials")
  const { hostname } = new URL(origin)
  if (url.hostname === hostname) return text
  const addresses = yield* addressesOf(url.hostname)
  if (addresses.every((address) => isPublicAddress(address))) return text
  const own = yield* addressesOf(hostname)
  const isOwn = (address: string) => own.includes(address) || (isLoopback(address) && own.some(isLoopback))
  if (addresses.every((address) => isPublicAddress(address) || isOwn(address))) return text
  return yield* refused("The stream is at an address of a private network")
})
