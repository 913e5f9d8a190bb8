import { Effect, Result, Schema } from "effect"
import { createHash } from "node:crypto"
import { decodeBencode, scanBencode } from "./Bencode.ts"
import { TorrentUnusable } from "./TorrentError.ts"
import { torrentLimits } from "./TorrentLimits.ts"

/** A file of a torrent; `path` contains its folders and its name, as given in the torrent. */
export interface MetainfoFile {
  readonly path: ReadonlyArray<string>
  readonly size: number
  /** Position of its first byte in the concatenation of all files. */
  readonly offset: number
  /** Fills the space up to a piece's end (BEP 47). */
  readonly padding: boolean
}

/** The info dictionary of a torrent. */
export interface Metainfo {
  readonly infoHash: string
  readonly name: string
  /** Whether the files are in a folder called `name`. */
  readonly folder: boolean
  readonly pieceLength: number
  readonly pieceCount: number
  readonly size: number
  readonly files: ReadonlyArray<MetainfoFile>
  /** SHA-1 of a piece. */
  readonly hash: (piece: number) => Uint8Array
}

/** The sources of a torrent's data. */
export interface TorrentSources {
  readonly trackers: ReadonlyArray<string>
  readonly webSeeds: ReadonlyArray<string>
  /** `host:port` */
  readonly peers: ReadonlyArray<string>
}

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

const Info = Schema.Struct({
  name: Schema.Uint8Array,
  "piece length": Size,
  pieces: Schema.optionalKey(Schema.Uint8Array),
  length: Schema.optionalKey(Size),
  files: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        length: Size,
        path: Schema.Array(Schema.Uint8Array).check(Schema.isMinLength(1), Schema.isMaxLength(32)),
        attr: Schema.optionalKey(Schema.Uint8Array)
      })
    ).check(Schema.isMinLength(1), Schema.isMaxLength(torrentLimits.files))
  ),
  "meta version": Schema.optionalKey(Schema.Unknown)
})
const decodeInfo = Schema.decodeUnknownResult(Info)

/** Both fields are ignored if they have an unexpected type. */
const decodeLists = Schema.decodeUnknownResult(Schema.Array(Schema.Array(Schema.Uint8Array)))
const decodeList = Schema.decodeUnknownResult(Schema.Array(Schema.Uint8Array))
const decodeBytes = Schema.decodeUnknownResult(Schema.Uint8Array)

const utf8 = new TextDecoder()
const maxName = 1_000
const textOf = (bytes: Uint8Array): string => utf8.decode(bytes.subarray(0, maxName))

const fail = (why: TorrentUnusable["why"], detail: string) => new TorrentUnusable({ why, detail })

/** Reads an info dictionary (BEP 3) from its bytes, whose SHA-1 is the info hash. */
export const readInfo = Effect.fnUntraced(function* (bytes: Uint8Array) {
  const value = decodeBencode(bytes)
  const decoded = decodeInfo(value)
  if (Result.isFailure(decoded)) {
    const version2 = typeof value === "object" && value !== null && "meta version" in value && !("pieces" in value)
    return yield* version2 ? fail("version", "version 2 alone is not read") : fail("syntax", "not an info dictionary")
  }
  const info = decoded.success
  const { pieces } = info
  if (pieces === undefined) return yield* fail("version", "version 2 alone is not read")
  const pieceLength = info["piece length"]
  if (pieceLength === 0 || pieceLength > torrentLimits.piece) {
    return yield* fail("pieces", `pieces of ${pieceLength} bytes`)
  }
  if ((info.length === undefined) === (info.files === undefined)) return yield* fail("syntax", "neither file nor files")

  const name = textOf(info.name)
  let size = 0
  const files = (info.files ?? [{ length: info.length ?? 0, path: [info.name] }]).map((file): MetainfoFile => {
    const offset = size
    size += file.length
    const padding = "attr" in file && file.attr !== undefined && textOf(file.attr).includes("p")
    return { path: file.path.map(textOf), size: file.length, offset, padding }
  })
  if (!Number.isSafeInteger(size) || size === 0) return yield* fail("size", "nothing, or more than there is")
  const pieceCount = Math.ceil(size / pieceLength)
  if (pieceCount > torrentLimits.pieces) return yield* fail("pieces", `${pieceCount} pieces`)
  if (pieces.length !== pieceCount * 20) return yield* fail("pieces", "hashes and pieces differ in number")

  return {
    infoHash: createHash("sha1").update(bytes).digest("hex"),
    name,
    folder: info.files !== undefined,
    pieceLength,
    pieceCount,
    size,
    files,
    hash: (piece) => pieces.subarray(piece * 20, piece * 20 + 20)
  } satisfies Metainfo
})

/** Reads a torrent file: its info dictionary and its sources. */
export const readTorrent = Effect.fnUntraced(function* (bytes: Uint8Array) {
  if (bytes.length > torrentLimits.torrent) return yield* fail("size", "a torrent file of many megabytes")
  const scan = scanBencode(bytes)
  const span = scan?.end === bytes.length ? scan.entries.get("info") : undefined
  if (scan === undefined || span === undefined) return yield* fail("syntax", "not a torrent file")
  const info = yield* readInfo(bytes.subarray(span.start, span.end))
  const entry = (key: string): unknown => {
    const at = scan.entries.get(key)
    return at === undefined ? undefined : decodeBencode(bytes.subarray(at.start, at.end))
  }
  const one = (value: unknown) => Result.match(decodeBytes(value), { onFailure: () => [], onSuccess: (it) => [it] })
  const list = (value: unknown) => Result.getOrElse(decodeList(value), () => one(value))
  const lists = Result.getOrElse(decodeLists(entry("announce-list")), () => []).flat()
  const unique = (values: ReadonlyArray<Uint8Array>, max: number) =>
    [...new Set(values.map(textOf).filter((it) => it !== ""))].slice(0, max)
  const sources: TorrentSources = {
    trackers: unique([...one(entry("announce")), ...lists], torrentLimits.trackers),
    webSeeds: unique(list(entry("url-list")), torrentLimits.webSeeds),
    peers: []
  }
  return { info, sources }
})

/** The last part of a foreign name, for display: no separators, control characters or text direction marks. */
export const shownName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, 255)
