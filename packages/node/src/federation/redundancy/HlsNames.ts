import { Result } from "effect"

/** A file beside its playlist: no way to another folder, no address of another host. */
const plain = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}\.(?:m3u8|mp4|m4s|m4a|aac|ts|vtt)$/

/** Files one playlist may name. */
const maxNames = 5_000

/**
 * The files a playlist of HLS names (RFC 8216), each once; fails with the name of one that cannot be copied as it is, since
 * copies keep the names of what they are copies of.
 */
export const hlsNames = (playlist: string): Result.Result<ReadonlyArray<string>, string> => {
  if (!playlist.startsWith("#EXTM3U")) return Result.fail("no playlist")
  const names = new Set<string>()
  for (const line of playlist.split(/\r?\n/)) {
    const given = line.startsWith("#") ? (/[:,]URI="([^"]*)"/.exec(line)?.[1] ?? "") : line.trim()
    if (given === "") continue
    const name = given.replace(/^\.\//, "")
    if (!plain.test(name)) return Result.fail(given.slice(0, 200))
    names.add(name)
    if (names.size > maxNames) return Result.fail("too many files")
  }
  return Result.succeed([...names])
}
