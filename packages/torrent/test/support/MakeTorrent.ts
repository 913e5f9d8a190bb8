import { createHash } from "node:crypto"

export type Bencodable =
  | number
  | string
  | Uint8Array
  | ReadonlyArray<Bencodable>
  | { readonly [key: string]: Bencodable }

/** Writes bencode (BEP 3); keys are taken as ASCII. */
export const bencode = (value: Bencodable): Buffer => {
  if (typeof value === "number") return Buffer.from(`i${value}e`)
  if (typeof value === "string") return bencode(Buffer.from(value))
  if (value instanceof Uint8Array) return Buffer.concat([Buffer.from(`${value.length}:`), value])
  if (Array.isArray(value)) return Buffer.concat([Buffer.from("l"), ...value.map(bencode), Buffer.from("e")])
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.concat([
    Buffer.from("d"),
    ...entries.flatMap(([key, item]) => [bencode(key), bencode(item)]),
    Buffer.from("e")
  ])
}

export interface Made {
  readonly torrent: Buffer
  readonly info: Buffer
  readonly infoHash: string
  readonly magnet: (extra?: string) => string
}

export const infoOf = (
  files: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly bytes: Uint8Array }>,
  pieceLength: number,
  folder?: string
): { [key: string]: Bencodable } => {
  const all = Buffer.concat(files.map((it) => it.bytes))
  const pieces = Array.from({ length: Math.ceil(all.length / pieceLength) }, (_, piece) =>
    createHash("sha1")
      .update(all.subarray(piece * pieceLength, (piece + 1) * pieceLength))
      .digest()
  )
  const shared = { "piece length": pieceLength, pieces: Buffer.concat(pieces) }
  return folder === undefined
    ? { ...shared, name: files[0]?.path[0] ?? "", length: all.length }
    : { ...shared, name: folder, files: files.map((it) => ({ path: it.path, length: it.bytes.length })) }
}

/** A torrent file with an info dictionary of the test's own. */
export const torrentOf = (info: { [key: string]: Bencodable }, outer: { [key: string]: Bencodable } = {}): Made => {
  const bytes = bencode(info)
  const infoHash = createHash("sha1").update(bytes).digest("hex")
  return {
    torrent: bencode({ ...outer, info }),
    info: bytes,
    infoHash,
    magnet: (extra = "") => `magnet:?xt=urn:btih:${infoHash}${extra}`
  }
}
