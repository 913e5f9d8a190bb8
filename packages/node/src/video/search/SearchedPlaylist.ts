import { parsePlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { SearchedAddress } from "./SearchedAddress.ts"

const uuidOf = (text: string): string | undefined => {
  const read = parsePlaylistIdOrUuid(text)
  return read?._tag === "Uuid" ? read.uuid : undefined
}

/** `/w/p/…`, `/videos/watch/playlist/…`, `/video-playlists/…`, `/video-playlists/embed/…`, `/api/v1/video-playlists/…`. */
const path = /^\/(?:w\/p|videos\/watch\/playlist|(?:api\/v1\/)?video-playlists(?:\/embed)?)\/([^/]+)/

/**
 * Whether a search for playlists is the address or the UUID of one; undefined for words.
 *
 * @param origin of this instance, such as `https://videos.example`
 */
export const searchedPlaylist = (
  text: string,
  origin: string
): Exclude<SearchedAddress, { readonly _tag: "Handle" }> | undefined => {
  const given = text.trim()
  if (/^https?:\/\/\S+$/i.test(given)) {
    const url = URL.parse(given)
    const uuid = url?.origin === origin ? uuidOf(path.exec(url.pathname)?.[1] ?? "") : undefined
    return uuid === undefined ? { _tag: "Url", url: given } : { _tag: "Uuid", uuid, certain: true }
  }
  const uuid = uuidOf(given)
  return uuid === undefined ? undefined : { _tag: "Uuid", uuid, certain: given.length === 36 }
}

/** Addresses under which an instance may have what a reader knows by this one: pages have shorter ones. */
export const playlistKnownAs = (address: string): ReadonlyArray<string> => {
  const url = URL.parse(address)
  if (url === null) return [address]
  const uuid = uuidOf(path.exec(url.pathname)?.[1] ?? "")
  const plain = `${url.origin}${url.pathname.replace(/\/+$/, "")}`
  return [...new Set([address, plain, ...(uuid === undefined ? [] : [`${url.origin}/video-playlists/${uuid}`])])]
}
