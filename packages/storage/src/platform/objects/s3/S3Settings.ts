import type { Duration, Redacted } from "effect"

/** How an S3-compatible service is reached. */
export interface S3Settings {
  /** With scheme, without a path: `https://s3.example.org`. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted<string>
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  readonly pathStyle: boolean
  /** Bytes of one part of a large upload; smaller files go in one request. */
  readonly partBytes: number
  /** Tries of a request, the first one included. */
  readonly attempts: number
  /** How long the service may say nothing. */
  readonly silence: Duration.Duration
}

/** Parts of one upload at most (Amazon S3 user guide, "Multipart upload limits"). */
const mostParts = 10_000

/** Bytes of each part of a file, but for its last: as configured, or more where the file had too many parts. */
export const partBytesOf = (settings: Pick<S3Settings, "partBytes">, size: number): number =>
  Math.max(settings.partBytes, Math.ceil(size / mostParts))

/** Address of a bucket, without a slash at the end. */
export const bucketAddress = ({ endpoint, pathStyle }: Pick<S3Settings, "endpoint" | "pathStyle">, bucket: string) => {
  if (pathStyle) return `${endpoint}/${bucket}`
  const url = new URL(endpoint)
  return `${url.protocol}//${bucket}.${url.host}`
}
