/** Which segment of which version a name stands for. */
export interface ChunkPlace {
  /** Place of the version in `toTranscode` of the job. */
  readonly version: number
  readonly number: number
}

const chunkPattern = /^(\d{1,2})-(\d{1,9})\.ts$/
const playlistPattern = /^(\d{1,2})\.m3u8$/

/** Longer playlists are not read: a job asks for a few segments in one. */
const maxLines = 10_000

/** The place of a segment (contract: videoChunkFilename); undefined for any other name. */
export const chunkPlace = (name: string): ChunkPlace | undefined => {
  const found = chunkPattern.exec(name)
  return found === null ? undefined : { version: Number(found[1]), number: Number(found[2]) }
}

/** The version of a playlist (contract: resolutionPlaylistFilename); undefined for any other name. */
export const playlistVersion = (name: string): number | undefined => {
  const found = playlistPattern.exec(name)
  return found === null ? undefined : Number(found[1])
}

/**
 * Seconds of each segment in a media playlist (RFC 8216, 4.3.2.1), by number. Nothing else is read, and lines that are not
 * well formed are passed over.
 */
export const playlistSeconds = (text: string): ReadonlyMap<number, number> => {
  const seconds = new Map<number, number>()
  let duration: number | undefined
  for (const line of text.split("\n", maxLines)) {
    const found = /^#EXTINF:(\d{1,4}(?:\.\d{1,9})?),/.exec(line)
    if (found !== null) duration = Number(found[1])
    else if (!line.startsWith("#") && line.trim() !== "") {
      const place = chunkPlace(line.trim().split("/").at(-1)!)
      if (place !== undefined && duration !== undefined && duration > 0) seconds.set(place.number, duration)
      duration = undefined
    }
  }
  return seconds
}
