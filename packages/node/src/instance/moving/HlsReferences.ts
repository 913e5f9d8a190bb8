const attribute = /URI="([^"]*)"/g

/**
 * Names of files beside a playlist that it leads to (RFC 8216): lines that are no tags, and `URI` attributes, such as those of
 * subtitles. Addresses with a scheme or a path are none of them.
 */
export const besidePlaylist = (text: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const line of text.split(/\r?\n/)) {
    const found = line.startsWith("#") ? [...line.matchAll(attribute)].map(([, uri]) => uri ?? "") : [line.trim()]
    for (const name of found) if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/.test(name)) names.add(name)
  }
  return [...names]
}
