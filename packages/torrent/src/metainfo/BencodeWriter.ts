/** A value in a torrent file (BEP 3). Text is written as UTF-8; dictionary keys are sorted as raw bytes. */
export type Bencodable =
  | number
  | string
  | Uint8Array
  | ReadonlyArray<Bencodable>
  | { readonly [key: string]: Bencodable | undefined }

const utf8 = new TextEncoder()

const isList = (value: Bencodable): value is ReadonlyArray<Bencodable> => Array.isArray(value)

const byBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b)

const byteString = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => [utf8.encode(`${bytes.length}:`), bytes]

const parts = (value: Bencodable): ReadonlyArray<Uint8Array> => {
  if (typeof value === "number") return [utf8.encode(`i${Math.trunc(value)}e`)]
  if (typeof value === "string") return byteString(utf8.encode(value))
  if (value instanceof Uint8Array) return byteString(value)
  if (isList(value)) return [utf8.encode("l"), ...value.flatMap(parts), utf8.encode("e")]
  const entries = Object.entries(value)
    .flatMap(([key, item]) => (item === undefined ? [] : [[utf8.encode(key), item] as const]))
    .toSorted(([a], [b]) => byBytes(a, b))
  return [utf8.encode("d"), ...entries.flatMap(([key, item]) => [...byteString(key), ...parts(item)]), utf8.encode("e")]
}

/** Writes a value in bencode. Keys whose value is undefined are left out. */
export const bencode = (value: Bencodable): Uint8Array => Buffer.concat(parts(value))
