import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"

/** Digests of one part of a file, in hexadecimal. */
export interface PartDigest {
  readonly start: number
  readonly length: number
  readonly md5: string
  readonly sha256: string
}

export interface FileDigests {
  readonly size: number
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string
  /** One at least: an empty file has an empty part. */
  readonly parts: ReadonlyArray<PartDigest>
}

/** Reads a file once, for the digests of all of it and of each part of `partBytes`. */
export const digestFile = async (path: string, partBytes: number, signal?: AbortSignal): Promise<FileDigests> => {
  const whole = createHash("sha256")
  const parts: Array<PartDigest> = []
  let start = 0
  let length = 0
  let [md5, sha256] = [createHash("md5"), createHash("sha256")]
  const close = () => {
    parts.push({ start, length, md5: md5.digest("hex"), sha256: sha256.digest("hex") })
    start += length
    length = 0
    ;[md5, sha256] = [createHash("md5"), createHash("sha256")]
  }
  for await (const read of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
    let rest = read as Buffer
    whole.update(rest)
    while (rest.length > 0) {
      const piece = rest.subarray(0, partBytes - length)
      md5.update(piece)
      sha256.update(piece)
      length += piece.length
      rest = rest.subarray(piece.length)
      if (length === partBytes) close()
    }
  }
  if (length > 0 || parts.length === 0) close()
  return { size: start, sha256: whole.digest("hex"), parts }
}
