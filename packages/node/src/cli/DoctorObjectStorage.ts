import { MovableObjects } from "@kinora/storage/instance/inventory/MovableObjects"
import { buckets, type Bucket } from "@kinora/storage/platform/objects/ObjectKey"
import { makeS3Client, type S3Client } from "@kinora/storage/platform/objects/s3/S3Client"
import type { S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import type { S3Kind } from "@kinora/storage/platform/objects/s3/S3Kinds"
import { bucketAddress, type S3Settings } from "@kinora/storage/platform/objects/s3/S3Settings"
import { Duration, Effect, Layer, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { KinoraConfig } from "../platform/config/Config.ts"
import { s3Kinds, s3Settings } from "../platform/config/ObjectStorage.ts"
import { databaseLayer } from "./DatabaseLayer.ts"
import { failure, type Finding, good, warning } from "./DoctorReport.ts"

const subject = "object storage"
const guide = 'docs/operating.md, "Object storage", says what a bucket needs.'
const text = "kinora doctor"

const advice: Readonly<Record<S3Failure["reason"], string>> = {
  unreachable: "Check object_storage.endpoint, and that this machine may connect to it.",
  overloaded: "Ask again later; the service itself fails.",
  missing: "Create the bucket, or correct its name.",
  denied: "Check object_storage.credentials and object_storage.region: the key must read, write, list and delete.",
  corrupt: "The service stores other bytes than it is sent: do not use it.",
  refused: "If it refuses the ACL, set object_storage.upload_acl.public and .private to none."
}

/** What anybody gets who asks for an object from a page of another origin. */
const asStranger = (url: string) =>
  HttpClient.execute(HttpClientRequest.get(url, { headers: { origin: "https://kinora.invalid" } })).pipe(
    Effect.map(({ headers, status }) => ({ status, allowed: headers["access-control-allow-origin"] })),
    Effect.timeoutOption(Duration.seconds(20)),
    Effect.orElseSucceed(() => undefined),
    Effect.map((found) => (found === undefined || found._tag === "None" ? undefined : found.value))
  )

const readers = Effect.fnUntraced(function* (settings: S3Settings, kind: S3Kind, name: string, key: string) {
  if (kind.publicAddress === undefined) {
    const seen = yield* asStranger(`${bucketAddress(settings, kind.bucket)}/${key}`)
    return seen?.status === 200
      ? [
          failure(
            subject,
            `everybody reads private files of ${name}`,
            "Make the bucket private, and its public files readable by their ACL or by a policy for their prefix alone."
          )
        ]
      : []
  }
  const seen = yield* asStranger(`${kind.publicAddress}/${key}`)
  if (seen?.status !== 200) {
    const answer = seen === undefined ? "does not answer" : `answers ${seen.status}`
    return [
      failure(
        subject,
        `public files of ${name} cannot be read: ${kind.publicAddress} ${answer}`,
        `Check the ACL and base_url. ${guide}`
      )
    ]
  }
  return seen.allowed === "*"
    ? []
    : [
        warning(
          subject,
          `pages may not read ${name} from ${kind.publicAddress}`,
          "Add a CORS rule to the bucket: GET and HEAD, from any origin (*), with the header Range."
        )
      ]
})

/** Writes, reads, lists and removes an object where those of the kind are. */
const tryKind = Effect.fnUntraced(function* (client: S3Client, settings: S3Settings, name: string, kind: S3Kind) {
  const { acl, bucket, prefix } = kind
  const key = `${prefix}kinora-doctor-${randomUUID()}.txt`
  const headers = { "content-type": "text/plain", ...(acl === undefined ? {} : { "x-amz-acl": acl }) }
  const tried = Effect.gen(function* () {
    yield* client.call({ method: "PUT", bucket, key, headers, body: text }, `Writing into ${bucket}`)
    const read = yield* Stream.mkString(Stream.decodeText(client.read(bucket, key, { start: 0, end: text.length - 1 })))
    const listed = yield* Stream.runCollect(client.list(bucket, key))
    const findings = yield* readers(settings, kind, name, key)
    if (read === text && listed.length === 1) return findings
    return [failure(subject, `${bucket} does not give what it was given`, advice.corrupt), ...findings]
  })
  return yield* tried.pipe(
    Effect.ensuring(Effect.ignore(client.remove(bucket, key))),
    Effect.catch((error) => Effect.succeed([failure(subject, error.message, advice[error.reason])]))
  )
})

/** Files that nobody can read any more, because the storage is no longer configured. */
const forgotten = Effect.gen(function* () {
  const count = yield* (yield* MovableObjects).countInS3
  return count === 0
    ? []
    : [
        failure(
          subject,
          `${count} files are in object storage, and none is configured`,
          "Set object_storage.endpoint again; `kinora storage move --to disk` brings them back."
        )
      ]
}).pipe(
  Effect.provide(MovableObjects.layer.pipe(Layer.provide(databaseLayer))),
  Effect.timeoutOrElse({ duration: Duration.seconds(60), orElse: () => Effect.succeed([]) }),
  // What is wrong with the database is found by another check.
  Effect.catchCause(() => Effect.succeed<ReadonlyArray<Finding>>([]))
)

/** Whether each bucket of the object storage can be used, and is open to those alone who may read it. */
export const checkObjectStorage: Effect.Effect<
  ReadonlyArray<Finding>,
  never,
  KinoraConfig | HttpClient.HttpClient
> = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const settings = s3Settings(config.object_storage)
  if (settings === undefined) return yield* forgotten
  const client = yield* makeS3Client(settings)
  const kinds = s3Kinds(config.object_storage)
  const used = buckets.flatMap((bucket): ReadonlyArray<readonly [Bucket, S3Kind]> => {
    const kind = kinds[bucket]
    return kind === undefined ? [] : [[bucket, kind]]
  })
  const findings = (yield* Effect.forEach(used, ([name, kind]) => tryKind(client, settings, name, kind), {
    concurrency: 4
  })).flat()
  return findings.length > 0
    ? findings
    : [good(subject, `${settings.endpoint} takes and gives files of ${used.length} kinds`)]
}).pipe(Effect.scoped)
