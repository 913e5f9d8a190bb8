import { Effect, FileSystem } from "effect"
import { createHash } from "node:crypto"

/** A segment as a media playlist lists it. */
export interface ListedSegment {
  readonly file: string
  readonly seconds: number
  readonly offset: number
  readonly length: number
}

/** Reads a media playlist as a player would; throws on a line it does not know. */
export const readPlaylist = (text: string) => {
  const segments: Array<ListedSegment> = []
  let seconds = 0
  let range: readonly [number, number] = [0, 0]
  let init: readonly [file: string, length: number] = ["", 0]
  let target = 0
  for (const line of text.trim().split("\n")) {
    const map = /^#EXT-X-MAP:URI="(.+)",BYTERANGE="(\d+)@0"$/.exec(line)
    const bytes = /^#EXT-X-BYTERANGE:(\d+)@(\d+)$/.exec(line)
    const duration = /^#EXTINF:([\d.]+),$/.exec(line)
    const targetLine = /^#EXT-X-TARGETDURATION:(\d+)$/.exec(line)
    if (map !== null) init = [map[1] ?? "", Number(map[2])]
    else if (bytes !== null) range = [Number(bytes[1]), Number(bytes[2])]
    else if (duration !== null) seconds = Number(duration[1])
    else if (targetLine !== null) target = Number(targetLine[1])
    else if (!line.startsWith("#")) segments.push({ file: line, seconds, length: range[0], offset: range[1] })
  }
  return { segments, init, target, ended: text.trimEnd().endsWith("#EXT-X-ENDLIST") }
}

/** Fails unless every segment begins with a `moof`, the ranges cover the file to its end, and the hashes hold. */
export const checkRanges = Effect.fnUntraced(function* (playlist: string, hashFile: string) {
  const fs = yield* FileSystem.FileSystem
  const read = readPlaylist(yield* fs.readFileString(playlist))
  const folder = playlist.slice(0, playlist.lastIndexOf("/"))
  const bytes = Buffer.from(yield* fs.readFile(`${folder}/${read.init[0]}`))
  const hashes = JSON.parse(yield* fs.readFileString(hashFile))[read.init[0]]
  const type = (at: number) => bytes.toString("latin1", at + 4, at + 8)
  const problems: Array<string> = []
  if (type(0) !== "ftyp") problems.push("the file does not begin with ftyp")
  let at = read.init[1]
  for (const segment of read.segments) {
    const end = segment.offset + segment.length
    const hash = createHash("sha256").update(bytes.subarray(segment.offset, end)).digest("hex")
    if (segment.offset !== at) problems.push(`a gap before ${segment.offset}`)
    if (type(segment.offset) !== "moof") problems.push(`no moof at ${segment.offset}`)
    if (hashes[`${segment.offset}-${end - 1}`] !== hash) problems.push(`wrong hash at ${segment.offset}`)
    if (Math.round(segment.seconds) > read.target) problems.push(`${segment.seconds} s are above the target`)
    at = end
  }
  if (at !== bytes.length) problems.push(`the ranges end at ${at} of ${bytes.length}`)
  if (Object.keys(hashes).length !== read.segments.length) problems.push("more hashes than segments")
  if (!read.ended) problems.push("no end")
  return { ...read, problems }
})
