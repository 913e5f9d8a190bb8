import { type ActorHandle, parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"

/** What a search text names, when it names one thing. */
export type SearchedAddress =
  | {
      readonly _tag: "Uuid"
      readonly uuid: string
      /** In full: nobody means a word by it. */ readonly certain: boolean
    }
  | { readonly _tag: "Handle"; readonly handle: ActorHandle }
  | { readonly _tag: "Url"; readonly url: string }

const uuidOf = (text: string): string | undefined => {
  const read = parseVideoIdOrUuid(text)
  return read?._tag === "Uuid" ? read.uuid : undefined
}

/** `/c/name`, `/video-channels/name`, `/a/name`, `/accounts/name`, `/@name`, and what is below. */
const actorPath = /^\/(?:(?:c|video-channels|a|accounts)\/@?|@)([^/]+)/
const videoPath = /^\/(?:w|videos\/watch|videos\/embed|api\/v1\/videos)\/([^/]+)/

const ofOurs = (url: URL): SearchedAddress | undefined => {
  const uuid = uuidOf(videoPath.exec(url.pathname)?.[1] ?? "")
  if (uuid !== undefined) return { _tag: "Uuid", uuid, certain: true }
  const handle = parseActorHandle(actorPath.exec(url.pathname)?.[1] ?? "")
  return handle === undefined ? undefined : { _tag: "Handle", handle }
}

/**
 * Whether a search text is an address, a handle (`@name@host`, `name@host`, `@name`) or a UUID; undefined for words.
 *
 * @param origin of this instance, such as `https://videos.example`
 */
export const searchedAddress = (text: string, origin: string): SearchedAddress | undefined => {
  const given = text.trim()
  if (/^https?:\/\/\S+$/i.test(given)) {
    const url = URL.parse(given)
    if (url === null) return { _tag: "Url", url: given }
    return (url.origin === origin ? ofOurs(url) : undefined) ?? { _tag: "Url", url: given }
  }
  const uuid = uuidOf(given)
  if (uuid !== undefined) return { _tag: "Uuid", uuid, certain: given.length === 36 }
  const handle = /^@[^@\s]+$|^@?[^@\s]+@[^@\s]+$/.test(given) ? parseActorHandle(given) : undefined
  return handle === undefined ? undefined : { _tag: "Handle", handle }
}

/** Addresses under which an instance may have what a reader knows by this one: pages have shorter ones. */
export const knownAs = (address: string): ReadonlyArray<string> => {
  const url = URL.parse(address)
  if (url === null) return [address]
  const plain = `${url.origin}${url.pathname.replace(/\/+$/, "")}`
  const uuid = uuidOf(videoPath.exec(url.pathname)?.[1] ?? "")
  const name = actorPath.exec(url.pathname)?.[1]
  return [
    ...new Set([
      address,
      plain,
      ...(uuid === undefined ? [] : [`${url.origin}/videos/watch/${uuid}`]),
      ...(name === undefined ? [] : [`${url.origin}/video-channels/${name}`, `${url.origin}/accounts/${name}`])
    ])
  ]
}
