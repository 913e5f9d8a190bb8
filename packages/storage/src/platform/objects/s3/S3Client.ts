import { Effect, Option, type Scope, Stream } from "effect"
import type { Xml } from "effect/encoding"
import type { ByteRange } from "../ObjectStore.ts"
import { digestFile, type FileDigests } from "./FileDigests.ts"
import { failureOf, makeExchange, readText, type S3Request } from "./S3Exchange.ts"
import { S3Failure } from "./S3Failure.ts"
import { readRange } from "./S3Reading.ts"
import { makeRetries } from "./S3Retries.ts"
import { partBytesOf, type S3Settings } from "./S3Settings.ts"
import { makeStreamUpload, type StreamedUpload } from "./S3StreamUpload.ts"
import { makeUploads, tagOf, type Upload, type UploadLog } from "./S3Upload.ts"
import { childText, parseDocument } from "./S3Xml.ts"

/** An object in a listing. */
export interface S3Object {
  readonly key: string
  readonly size: number
  readonly modifiedAt: Date
}

export interface S3Stat {
  readonly size: number
  readonly modifiedAt: Date
  readonly etag: string
}

/** Bytes that one copy within the service may have; larger objects are copied in parts. */
const largestCopy = 5 * 1024 ** 3
const copiedPart = 1024 ** 3

export type S3Client = ReturnType<typeof build>

const build = (settings: S3Settings, exchange: ReturnType<typeof makeExchange>) => {
  const retries = makeRetries(settings.attempts)
  const uploads = makeUploads(exchange, retries)
  const streamed = makeStreamUpload(uploads, retries, (size) => partBytesOf(settings, size))

  /** A request whose answer is small. */
  const call = (request: S3Request, what: string) =>
    retries.retry(
      Effect.flatMap(exchange.send(request, what), (response) =>
        Effect.map(readText(response.body), (text) => ({ text, headers: response.headers }))
      )
    )

  const head = (bucket: string, key: string): Effect.Effect<S3Stat, S3Failure> =>
    Effect.map(call({ method: "HEAD", bucket, key }, `Looking for ${key}`), ({ headers }) => ({
      size: Number(headers["content-length"] ?? 0),
      modifiedAt: new Date(headers["last-modified"] ?? 0),
      etag: headers.etag ?? ""
    }))

  /** Undefined: there is none. */
  const find = (bucket: string, key: string) =>
    head(bucket, key).pipe(
      Effect.catchIf(
        ({ reason }) => reason === "missing",
        () => Effect.succeed(undefined)
      )
    )

  const digests = (path: string, size: number): Effect.Effect<FileDigests> =>
    Effect.promise((signal) => digestFile(path, partBytesOf(settings, size), signal))

  /** Stores a local file, and compares the size the service has of it. */
  const put = Effect.fn("S3.put")(function* <E>(upload: Upload, log: UploadLog<E>) {
    const { bucket, key } = upload
    const { parts, size } = upload.digests
    const isWhole = Effect.map(find(bucket, key), (found) => found?.size === size)
    yield* parts.length === 1 ? uploads.single(upload) : uploads.several(upload, log, isWhole)
    if (!(yield* isWhole)) {
      return yield* new S3Failure({ reason: "corrupt", message: `Storing ${key}: the object is not whole` })
    }
  })

  /** Stores what a stream gives, and compares the size the service has of it. */
  const putStream = Effect.fn("S3.putStream")(function* <E>(upload: StreamedUpload<E>) {
    const { bucket, key, size } = upload
    const isWhole = Effect.map(find(bucket, key), (found) => found?.size === size)
    yield* streamed(upload, isWhole)
    if (!(yield* isWhole)) {
      return yield* new S3Failure({ reason: "corrupt", message: `Storing ${key}: the object is not whole` })
    }
  })

  /** Whether the whole file is there already, as its entity tag says: no where that is no digest. */
  const has = ({ bucket, digests: { parts, size }, key }: Upload) =>
    Effect.map(find(bucket, key), (found) => found?.size === size && found.etag.replaceAll('"', "") === tagOf(parts))

  const remove = (bucket: string, key: string) =>
    Effect.asVoid(call({ method: "DELETE", bucket, key }, `Removing ${key}`)).pipe(
      Effect.catchIf(
        ({ code, reason }) => reason === "missing" && code !== "NoSuchBucket",
        () => Effect.void
      )
    )

  const checkedCopy = Effect.fnUntraced(function* (request: S3Request, what: string) {
    const { text } = yield* call(request, what)
    const document = yield* parseDocument(text)
    if (document === undefined || document.name === "Error") return yield* yield* failureOf(500, text, what)
    return childText(document, "ETag") ?? ""
  })

  /** Copies within the service: no byte passes through here. */
  const copy = Effect.fn("S3.copy")(function* (
    from: { readonly bucket: string; readonly key: string; readonly size: number },
    to: { readonly bucket: string; readonly key: string },
    headers: Readonly<Record<string, string>>
  ) {
    const what = `Copying ${from.key}`
    const source = { "x-amz-copy-source": `/${from.bucket}/${from.key.split("/").map(encodeURIComponent).join("/")}` }
    if (from.size <= largestCopy) {
      const replacing = { ...headers, ...source, "x-amz-metadata-directive": "REPLACE" }
      return yield* Effect.asVoid(checkedCopy({ ...to, method: "PUT", headers: replacing }, what))
    }
    const begun = yield* call({ ...to, method: "POST", query: { uploads: "" }, headers }, what)
    const document = yield* parseDocument(begun.text)
    const uploadId = document === undefined ? "" : (childText(document, "UploadId") ?? "")
    const count = Math.ceil(from.size / copiedPart)
    const etags = yield* Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) => {
        const last = Math.min(from.size, (index + 1) * copiedPart) - 1
        const range = { "x-amz-copy-source-range": `bytes=${index * copiedPart}-${last}` }
        const query = { partNumber: String(index + 1), uploadId }
        return checkedCopy({ ...to, method: "PUT", query, headers: { ...source, ...range } }, what)
      },
      { concurrency: 4 }
    ).pipe(Effect.tapError(() => Effect.ignore(uploads.abort(to.bucket, to.key, uploadId))))
    const parts = etags.map((etag, index) => [index + 1, etag] as const)
    yield* retries.retry(uploads.complete({ ...to }, uploadId, new Map(parts)))
  })

  /** What a listing of keys that start so has, page after page. */
  const listing = <A>(
    bucket: string,
    query: Readonly<Record<string, string>>,
    pick: (document: Xml.Element) => ReadonlyArray<A>
  ): Stream.Stream<A, S3Failure> =>
    Stream.paginate(undefined as string | undefined, (token) =>
      Effect.gen(function* () {
        const what = `Listing ${bucket}`
        const page = { "list-type": "2", ...query, ...(token === undefined ? {} : { "continuation-token": token }) }
        const { text } = yield* call({ method: "GET", bucket, query: page }, what)
        const document = yield* parseDocument(text)
        if (document?.name !== "ListBucketResult") return yield* yield* failureOf(500, text, what)
        const next = childText(document, "IsTruncated") === "true" ? childText(document, "NextContinuationToken") : ""
        return [pick(document), next === undefined || next === "" ? Option.none() : Option.some(next)] as const
      })
    )

  /** All objects whose keys start so. */
  const list = (bucket: string, prefix: string) =>
    listing(bucket, { prefix }, (document) =>
      document.children.flatMap((child): ReadonlyArray<S3Object> => {
        if (typeof child === "string" || child.name !== "Contents") return []
        return [
          {
            key: childText(child, "Key") ?? "",
            size: Number(childText(child, "Size") ?? 0),
            modifiedAt: new Date(childText(child, "LastModified") ?? 0)
          }
        ]
      })
    )

  /** What keys that start so begin with, up to their next slash and with it. */
  const folders = (bucket: string, prefix: string) =>
    listing(bucket, { prefix, delimiter: "/" }, (document) =>
      document.children.flatMap((child) =>
        typeof child === "string" || child.name !== "CommonPrefixes" ? [] : (childText(child, "Prefix") ?? [])
      )
    )

  const read = (bucket: string, key: string, range: ByteRange) =>
    range.end < range.start ? Stream.empty : readRange(exchange, retries, { bucket, key }, range)

  return {
    find,
    has,
    digests,
    put,
    putStream,
    remove,
    copy,
    list,
    folders,
    read,
    abort: uploads.abort,
    presign: exchange.presign,
    call
  }
}

/** A client of one S3-compatible service, with its own connections. It sends nothing before it is used. */
export const makeS3Client = (settings: S3Settings): Effect.Effect<S3Client, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeExchange(settings)),
      (exchange) => Effect.sync(exchange.close)
    ),
    (exchange) => build(settings, exchange)
  )
