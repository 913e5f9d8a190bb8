/** New names of files by old names. */
export type Renames = ReadonlyMap<string, string>

const named = (renames: Renames, name: string): string => renames.get(name) ?? name

/** A playlist of ours (RFC 8216) with new file names: in lines that are a name, and in `URI` attributes. */
export const renameInPlaylist = (playlist: string, renames: Renames): string =>
  playlist
    .split("\n")
    .map((line) =>
      line.startsWith("#")
        ? line.replaceAll(/URI="([^"]*)"/g, (_, name: string) => `URI="${named(renames, name)}"`)
        : named(renames, line)
    )
    .join("\n")

/** The table of segment digests with new file names (contract: segmentsSha256Url). */
export const renameInDigests = (digests: string, renames: Renames): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(JSON.parse(digests) as Record<string, unknown>).map(([name, sums]) => [named(renames, name), sums])
    )
  )

const seeds = Buffer.from("8:url-list")

/**
 * A torrent of ours with this web seed (BEP 19) instead of its own. `url-list` is the last key of our torrents and
 * outside of the hashed part, so the info hash stays the same.
 */
export const withWebSeed = (torrent: Uint8Array, address: string): Uint8Array => {
  const bytes = Buffer.from(torrent)
  const at = bytes.lastIndexOf(seeds)
  const before = at === -1 ? bytes.subarray(0, -1) : bytes.subarray(0, at)
  return Buffer.concat([before, seeds, Buffer.from(`l${Buffer.byteLength(address)}:${address}ee`)])
}
