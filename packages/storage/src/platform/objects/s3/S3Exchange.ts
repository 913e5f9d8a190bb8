import { AwsV4Signer } from "aws4fetch"
import { Duration, Effect, Redacted } from "effect"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { bucketAddress, type S3Settings } from "./S3Settings.ts"
import { reasonOf, S3Failure } from "./S3Failure.ts"
import { makeServiceClock } from "./ServiceClock.ts"
import { childText, largestDocument, parseDocument } from "./S3Xml.ts"

/** Part of a local file. */
export interface FilePart {
  readonly path: string
  readonly start: number
  readonly length: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** Bytes in memory. */
export interface MemoryPart {
  readonly bytes: Uint8Array
  readonly length: number
  /** In hexadecimal. */
  readonly sha256: string
}

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE"
  readonly bucket: string
  /** Absent: the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FilePart | MemoryPart
}

/** The head of an answer; its body is unread. */
export type S3Response = Pick<IncomingMessage, "statusCode" | "headers"> & { readonly body: IncomingMessage }

const idleConnections = 32
const emptySha256 = createHash("sha256").digest("hex")

const pathOf = (key: string): string => key.split("/").map(encodeURIComponent).join("/")

const addressOf = (settings: S3Settings, { bucket, key, query }: Omit<S3Request, "method">): string => {
  const search = new URLSearchParams(query).toString()
  return `${bucketAddress(settings, bucket)}${key === undefined ? "" : `/${pathOf(key)}`}${search === "" ? "" : `?${search}`}`
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "EFAILED"

/** A connection that did not come about, or broke. */
export const broken = (cause: unknown): S3Failure =>
  new S3Failure({
    reason: "unreachable",
    code: codeOf(cause),
    message: `The object storage does not answer: ${cause instanceof Error ? cause.message : String(cause)}`
  })

/** Reads the rest of an answer as text; more than a document has is cut off. */
export const readText = (body: IncomingMessage): Effect.Effect<string, S3Failure> =>
  Effect.tryPromise({
    try: async () => {
      const parts: Array<Buffer> = []
      let size = 0
      for await (const part of body) {
        parts.push(part as Buffer)
        size += (part as Buffer).length
        if (size > largestDocument) break
      }
      return Buffer.concat(parts).toString("utf8")
    },
    catch: broken
  })

export const failureOf = Effect.fnUntraced(function* (status: number, text: string, what: string) {
  const document = yield* parseDocument(text)
  const code = document === undefined ? undefined : childText(document, "Code")
  const message = document === undefined ? undefined : childText(document, "Message")
  return new S3Failure({
    reason: reasonOf(status, code),
    message: `${what}: the object storage answers ${status}${code === undefined ? "" : ` ${code}`}${
      message === undefined || message === "" ? "" : ` (${message.slice(0, 300)})`
    }`,
    ...(code === undefined ? {} : { code })
  })
})

/** Sends signed requests (AWS Signature Version 4), one try each, over connections that are kept. */
export const makeExchange = (settings: S3Settings) => {
  const { accessKeyId, region, secretAccessKey } = settings
  const tls = new URL(settings.endpoint).protocol === "https:"
  const options = { keepAlive: true, maxFreeSockets: idleConnections, timeout: Duration.toMillis(settings.silence) }
  const agent = tls ? new HttpsAgent(options) : new HttpAgent(options)
  const keys = { accessKeyId, secretAccessKey: Redacted.value(secretAccessKey), region, service: "s3" }
  const clock = makeServiceClock()

  const sign = (request: S3Request) => {
    const { body } = request
    const sha256 =
      body === undefined
        ? emptySha256
        : typeof body === "string"
          ? createHash("sha256").update(body).digest("hex")
          : body.sha256
    const signer = new AwsV4Signer({
      method: request.method,
      url: addressOf(settings, request),
      headers: { ...request.headers, "x-amz-content-sha256": sha256 },
      ...keys,
      datetime: clock.now()
    })
    return Effect.promise(() => signer.sign())
  }

  const open = (url: URL, request: S3Request, headers: Record<string, string>) =>
    Effect.callback<IncomingMessage, S3Failure>((resume) => {
      const { body, method } = request
      let answer: IncomingMessage | undefined
      const length =
        body === undefined
          ? method === "PUT" || method === "POST"
            ? 0
            : undefined
          : typeof body === "string"
            ? Buffer.byteLength(body)
            : body.length
      const sent = (tls ? httpsRequest : httpRequest)(url, {
        method,
        agent,
        headers: { ...headers, ...(length === undefined ? {} : { "content-length": length }) },
        timeout: Duration.toMillis(settings.silence)
      })
      const fail = (cause: unknown) => {
        sent.destroy()
        resume(Effect.fail(broken(cause)))
      }
      sent.on("timeout", () => {
        // Bytes wait here for a slow reader: it is not the service that is silent.
        if (answer !== undefined && answer.readableLength > 0) return
        const silent = Object.assign(new Error("no byte came for too long"), { code: "ETIMEDOUT" })
        answer?.destroy(silent)
        fail(silent)
      })
      sent.on("error", fail)
      sent.on("response", (response) => {
        answer = response
        resume(Effect.succeed(response))
      })
      if (body === undefined || typeof body === "string") sent.end(body)
      else if (body.length === 0) sent.end()
      else if ("bytes" in body) sent.end(body.bytes)
      else {
        const file = createReadStream(body.path, { start: body.start, end: body.start + body.length - 1 })
        file.on("error", fail)
        sent.on("close", () => file.destroy())
        file.pipe(sent)
      }
      return Effect.sync(() => sent.destroy())
    })

  /** What is not a success fails, with the error of the service. `what` says in messages what was tried. */
  const send = Effect.fnUntraced(function* (request: S3Request, what: string): Effect.fn.Return<S3Response, S3Failure> {
    const signed = yield* sign(request)
    const headers = Object.fromEntries((signed.headers as Headers).entries())
    const body = yield* open(signed.url, request, headers)
    const status = body.statusCode ?? 0
    if (status >= 200 && status < 300) return { statusCode: status, headers: body.headers, body }
    const text = yield* readText(body)
    if (status === 403 && clock.learn(body.headers.date)) return yield* send(request, what)
    return yield* yield* failureOf(status, text, what)
  })

  /** An address that anybody can read from for a while. `query` overrides headers of the answer. */
  const presign = (bucket: string, key: string, seconds: number, query: Readonly<Record<string, string>>) =>
    Effect.promise(async () => {
      const url = addressOf(settings, { bucket, key, query: { ...query, "X-Amz-Expires": String(seconds) } })
      return (await new AwsV4Signer({ method: "GET", url, signQuery: true, ...keys, datetime: clock.now() }).sign()).url
        .href
    })

  return { send, presign, close: () => agent.destroy() }
}
