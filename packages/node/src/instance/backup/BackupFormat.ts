import { DumpHead } from "@kinora/storage/platform/dump/DumpHead"
import { type Bucket, buckets, isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Data, Schema } from "effect"

/** A backup cannot be made, read or restored. `message` says why and what to do. */
export class BackupProblem extends Data.TaggedError("BackupProblem")<{ readonly message: string }> {}

const Sha256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** A file of a backup. */
export const BackupFile = Schema.Struct({
  /** From the backup's folder on, with slashes. */
  path: Schema.String,
  /** Bytes. */
  size: Schema.Natural,
  sha256: Sha256
})
export type BackupFile = typeof BackupFile.Type

/**
 * What a backup is of, and what is in it. Written last. Format 1 is a folder of files under their own names; format 2 keeps
 * files under names of their digests, which backups of one place share, and may be encrypted.
 */
export const Manifest = Schema.Struct({
  format: Schema.Literals([1, 2]),
  /** What format 2 is called in its place: a manifest counts under this name alone. */
  name: Schema.optionalKey(Schema.String),
  head: DumpHead,
  /** `database.sql.gz`. */
  database: BackupFile,
  /** `files.jsonl`: a {@link BackupFile} a line. */
  list: BackupFile,
  files: Schema.Natural,
  /** Bytes of these files. */
  bytes: Schema.Natural,
  /** Where the secret key is: in the backup, in the configuration, or left out as was asked for. */
  secretKey: Schema.Literals(["included", "configuration", "left out"]),
  /** How many files rows name that were missing from the instance already. */
  missing: Schema.Natural,
  /** Files in object storage that were left out, as was asked for. */
  leftOut: Schema.optionalKey(Schema.Struct({ files: Schema.Natural, bytes: Schema.Natural })),
  /** Rows of each table; backups of older versions do not have it. */
  rows: Schema.optionalKey(Schema.Record(Schema.String, Schema.Natural))
})
export type Manifest = typeof Manifest.Type

/** Names within the folder of a backup, and beside the folders of backups of format 2. */
export const manifestName = "manifest.json"
export const sharedFolder = "objects"
export const identityName = "identity.age"
export const databaseName = "database.sql.gz"
export const listName = "files.jsonl"
export const keyName = "secret.key"
const objectsFolder = "files"
const stagedFolder = "unfinished-uploads"

export const objectPath = (key: ObjectKey): string => `${objectsFolder}/${key.bucket}/${key.name}`
export const stagedPath = (name: string): string => `${stagedFolder}/${name}`

/** What a file of a backup is. */
export type Content =
  | { readonly _tag: "Object"; readonly key: ObjectKey }
  | { readonly _tag: "Staged"; readonly name: string }
  | { readonly _tag: "SecretKey" }

/** A file of an unfinished upload: in no folder, and not hidden. */
export const isStagedName = (name: string): boolean => /^[0-9a-z][0-9a-z.-]{0,120}$/.test(name)

const isBucket = (name: string | undefined): name is Bucket => buckets.some((bucket) => bucket === name)

/** What a path of a backup is; undefined where it is none, so that no list leads out of the folders of an instance. */
export const contentOf = (path: string): Content | undefined => {
  if (path === keyName) return { _tag: "SecretKey" }
  const [folder, first, ...rest] = path.split("/")
  if (folder === stagedFolder && first !== undefined && rest.length === 0 && isStagedName(first)) {
    return { _tag: "Staged", name: first }
  }
  if (folder !== objectsFolder || !isBucket(first)) return undefined
  const key = { bucket: first, name: rest.join("/") }
  return isValidKey(key) ? { _tag: "Object", key } : undefined
}

const file = Schema.fromJsonString(BackupFile)
export const encodeFile = Schema.encodeSync(file)
export const decodeFile = Schema.decodeUnknownEffect(file)

const manifest = Schema.fromJsonString(Manifest)
export const encodeManifest = Schema.encodeSync(manifest)
export const decodeManifest = Schema.decodeUnknownEffect(manifest)
