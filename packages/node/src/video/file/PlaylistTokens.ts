const uriAttribute = /URI="([^"]*)"/g

/** A URI with its own scheme or host leads to another server, which must not get the token. */
const leadsAway = (uri: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(uri)

const withToken = (uri: string, query: string): string => {
  if (uri === "" || leadsAway(uri)) return uri
  const again = /\.m3u8(?:$|\?)/i.test(uri) ? "&reinjectVideoFileToken=true" : ""
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}${again}`
}

/**
 * An HLS playlist (RFC 8216) with the video file token added to its URIs, for players that cannot add it themselves.
 * Playlists it refers to are requested with the same option.
 */
export const playlistWithToken = (playlist: string, token: string): string => {
  const query = `videoFileToken=${encodeURIComponent(token)}`
  return playlist
    .split("\n")
    .map((line) => {
      const text = line.trim()
      if (text === "") return line
      return text.startsWith("#")
        ? line.replaceAll(uriAttribute, (_, uri: string) => `URI="${withToken(uri, query)}"`)
        : withToken(text, query)
    })
    .join("\n")
}
