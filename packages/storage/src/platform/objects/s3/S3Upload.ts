import { Effect } from "effect"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import type { FileDigests, PartDigest } from "./FileDigests.ts"
import {
  failureOf,
  type FilePart,
  type makeExchange,
  type MemoryPart,
  readText,
  type S3Request,
  type S3Response
} from "./S3Exchange.ts"
import { S3Failure } from "./S3Failure.ts"
import type { RetryTries } from "./S3Retries.ts"
import { childText, escapeXml, parseDocument } from "./S3Xml.ts"

/** An upload in parts that another process may have begun. */
export interface UploadSoFar {
  readonly uploadId: string
  /** Entity tags of the parts that arrived, by number from 1. */
  readonly parts: ReadonlyMap<number, string>
}

/** Keeps what was uploaded already, for who continues after a crash. */
export interface UploadLog<E> {
  readonly found: Effect.Effect<UploadSoFar | undefined, E>
  readonly begin: (uploadId: string) => Effect.Effect<void, E>
  readonly part: (number: number, etag: string) => Effect.Effect<void, E>
  /** Nothing is to be continued: it is done, or given up. */
  readonly end: Effect.Effect<void, E>
}

export interface Upload {
  readonly bucket: string
  readonly key: string
  readonly path: string
  readonly digests: FileDigests
  /** Media type, ACL, caching. */
  readonly headers: Readonly<Record<string, string>>
}

const partsAtOnce = 3

const etagOf = ({ headers }: S3Response): string => headers.etag ?? ""

/** The tag is the MD5 of the bytes, but where they are encrypted with a key of a customer or of KMS. */
const isDigest = ({ headers }: S3Response): boolean =>
  !(headers["x-amz-server-side-encryption"] ?? "").toString().startsWith("aws:kms") &&
  headers["x-amz-server-side-encryption-customer-algorithm"] === undefined

const corrupt = (key: string) =>
  new S3Failure({ reason: "corrupt", message: `Storing ${key}: the object storage has other bytes than were sent` })

const check = (response: S3Response, key: string, md5: string) => {
  const found = /^"?([0-9a-f]{32})"?$/.exec(etagOf(response))?.[1]
  return found === undefined || found === md5 || !isDigest(response) ? Effect.void : Effect.fail(corrupt(key))
}

const base64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64")

/** Entity tag, without its quotes, of an object that was stored in these parts. */
export const tagOf = (parts: ReadonlyArray<PartDigest>): string => {
  const [first] = parts
  if (parts.length === 1 && first !== undefined) return first.md5
  const md5 = createHash("md5")
  for (const part of parts) md5.update(Buffer.from(part.md5, "hex"))
  return `${md5.digest("hex")}-${parts.length}`
}

/**
 * Stores a file. Each request names the MD5 and the SHA-256 of its bytes, which the service compares; its entity tag is
 * compared here. A file of several parts goes on where another process has stopped.
 */
export const makeUploads = (exchange: ReturnType<typeof makeExchange>, { retry }: RetryTries) => {
  /** Sends an object, or a part of one, and compares what the service has of it; its entity tag. */
  const sendBytes = Effect.fnUntraced(function* (
    request: Required<Pick<S3Request, "bucket" | "key">> & Pick<S3Request, "headers" | "query">,
    md5: string,
    body: FilePart | MemoryPart,
    what: string
  ) {
    const headers = { ...request.headers, "content-md5": base64(md5) }
    const response = yield* exchange.send({ ...request, method: "PUT", headers, body }, what)
    yield* readText(response.body)
    yield* check(response, request.key, md5)
    return etagOf(response)
  })

  const single = ({ bucket, digests, headers, key, path }: Upload) => {
    const { length, md5, sha256 } = digests.parts[0]!
    return sendBytes({ bucket, key, headers }, md5, { path, start: 0, length, sha256 }, `Storing ${key}`)
  }

  const begin = Effect.fnUntraced(function* ({ bucket, headers, key }: Pick<Upload, "bucket" | "headers" | "key">) {
    const what = `Beginning to store ${key}`
    const response = yield* exchange.send({ method: "POST", bucket, key, query: { uploads: "" }, headers }, what)
    const document = yield* parseDocument(yield* readText(response.body))
    const id = document === undefined ? undefined : childText(document, "UploadId")
    if (id === undefined || id === "") {
      return yield* new S3Failure({ reason: "refused", message: `${what}: the answer has no upload id` })
    }
    return id
  })

  const putPart = (
    { bucket, key }: Pick<Upload, "bucket" | "key">,
    uploadId: string,
    number: number,
    md5: string,
    body: FilePart | MemoryPart
  ) => {
    const query = { partNumber: String(number), uploadId }
    return sendBytes({ bucket, key, query }, md5, body, `Storing part ${number} of ${key}`)
  }

  /** `expected`: the tag the whole is to have, where that is known. */
  const complete = Effect.fnUntraced(function* (
    { bucket, key }: { readonly bucket: string; readonly key: string },
    uploadId: string,
    etags: ReadonlyMap<number, string>,
    expected?: string
  ) {
    const what = `Completing ${key}`
    const parts = [...etags].toSorted(([a], [b]) => a - b)
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts
      .map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`)
      .join("")}</CompleteMultipartUpload>`
    const response = yield* exchange.send(
      { method: "POST", bucket, key, query: { uploadId }, headers: { "content-type": "application/xml" }, body },
      what
    )
    const text = yield* readText(response.body)
    const document = yield* parseDocument(text)
    // The head is sent before the parts are joined: an error may follow a 200.
    if (document?.name === "Error" || document === undefined) return yield* yield* failureOf(500, text, what)
    const tag = (childText(document, "ETag") ?? "").replaceAll('"', "")
    const isComparable = expected !== undefined && /^[0-9a-f]{32}-\d+$/.test(tag) && isDigest(response)
    if (isComparable && tag !== expected) return yield* corrupt(key)
  })

  const abort = (bucket: string, key: string, uploadId: string) =>
    exchange.send({ method: "DELETE", bucket, key, query: { uploadId } }, `Giving up ${key}`).pipe(
      Effect.flatMap(({ body }) => readText(body)),
      Effect.asVoid,
      // Services that cannot give an upload up have a rule that removes old ones.
      Effect.catchIf(
        ({ reason }) => reason === "missing" || reason === "refused",
        () => Effect.void
      )
    )

  /**
   * Joins the parts of an upload. `isThere`: whether the whole object is there, asked where the answer may be lost: the next
   * try finds no upload any more.
   */
  const finish = (
    object: { readonly bucket: string; readonly key: string },
    uploadId: string,
    etags: ReadonlyMap<number, string>,
    expected: string,
    isThere: Effect.Effect<boolean, S3Failure>
  ) =>
    retry(complete(object, uploadId, etags, expected)).pipe(
      Effect.catchTag("S3Failure", (failure) =>
        failure.reason === "corrupt" || failure.reason === "denied"
          ? Effect.fail(failure)
          : Effect.flatMap(isThere, (there) => (there ? Effect.void : Effect.fail(failure)))
      )
    )

  const several = Effect.fnUntraced(function* <E>(
    upload: Upload,
    log: UploadLog<E>,
    isThere: Effect.Effect<boolean, S3Failure>
  ) {
    const found = yield* log.found
    const uploadId = found?.uploadId ?? (yield* retry(begin(upload)))
    if (found === undefined) yield* log.begin(uploadId)
    const etags = new Map(found?.parts)
    yield* Effect.forEach(
      upload.digests.parts.map((part, index) => [index + 1, part] as const).filter(([number]) => !etags.has(number)),
      ([number, { md5, ...part }]) =>
        Effect.flatMap(retry(putPart(upload, uploadId, number, md5, { path: upload.path, ...part })), (etag) => {
          etags.set(number, etag)
          return log.part(number, etag)
        }),
      { concurrency: partsAtOnce, discard: true }
    )
    yield* finish(upload, uploadId, etags, tagOf(upload.digests.parts), isThere)
    yield* log.end
  })

  return {
    single: (upload: Upload) => retry(single(upload)),
    several,
    begin,
    putPart,
    sendBytes,
    complete,
    finish,
    abort: (bucket: string, key: string, uploadId: string) => retry(abort(bucket, key, uploadId))
  }
}
