const uriAttribute = /URI="([^"]*)"/g

/** An address with a scheme or a host of its own leads to somebody who is not to have the token. */
const leadsAway = (uri: string): boolean => /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(uri)

const withToken = (uri: string, query: string): string => {
  if (uri === "" || leadsAway(uri)) return uri
  const again = /\.m3u8(?:$|\?)/i.test(uri) ? "&reinjectVideoFileToken=true" : ""
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}${again}`
}

/**
 * An HLS playlist (RFC 8216) whose addresses carry a video file token, for players that cannot add it themselves;
 * playlists it names are asked to do the same.
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
