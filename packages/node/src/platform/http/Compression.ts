import { Effect } from "effect"
import { brotliCompress, constants, gzip } from "node:zlib"

export type Coding = "br" | "gzip"

const compressible =
  /^(?:text\/|application\/(?:[a-z.+-]*json|[a-z.+-]*xml|javascript|x-mpegurl|vnd\.apple\.mpegurl)|image\/svg)/

/** Whether a media type shrinks enough to be worth it. */
export const isCompressible = (contentType: string): boolean => compressible.test(contentType)

const codingPattern = /(?:^|,)\s*(br|gzip|\*)\s*(?:;\s*q=([\d.]+))?\s*(?=,|$)/gi

/** The coding to answer with (RFC 9110, 12.5.3): Brotli before gzip where the client takes both alike. */
export const chooseCoding = (acceptEncoding: string | undefined): Coding | undefined => {
  if (acceptEncoding === undefined || acceptEncoding === "" || acceptEncoding === "identity") return undefined
  let br = 0
  let gz = 0
  for (const match of acceptEncoding.matchAll(codingPattern)) {
    const quality = match[2] === undefined ? 1 : Number(match[2])
    const name = (match[1] as string).toLowerCase()
    if (name === "br") br = quality
    else if (name === "gzip") gz = quality
    else if (gz === 0) gz = quality
  }
  return br > 0 && br >= gz ? "br" : gz > 0 ? "gzip" : undefined
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzipOptions = { level: 5 }

/**
 * Compresses off the event loop. A failure of zlib is a defect.
 */
export const compress = (body: string | Uint8Array, coding: Coding): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const done = (error: Error | null, result: Uint8Array) =>
      resume(error === null ? Effect.succeed(result) : Effect.die(error))
    if (coding === "br") brotliCompress(body, brotliOptions, done)
    else gzip(body, gzipOptions, done)
  })
