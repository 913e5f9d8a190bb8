import { type Bucket, buckets, isNestedBucket, isValidKey, type ObjectKey } from "../ObjectKey.ts"

/** Where the objects of one kind are in object storage. */
export interface S3Kind {
  /** Bucket of the service. */
  readonly bucket: string
  /** What all keys of the kind begin with. */
  readonly prefix: string
  /** Canned ACL of the objects; absent: that of the bucket. */
  readonly acl?: string
  /** Address of the bucket for readers, without a slash at the end; absent: objects of the kind are private. */
  readonly publicAddress?: string
}

/** Kinds that are missing lie on disk. */
export type S3Kinds = Readonly<Partial<Record<Bucket, S3Kind>>>

export const keyIn = ({ prefix }: S3Kind, { name }: ObjectKey): string => `${prefix}${name}`

/** The object of a key in a listing; undefined for what is none of the kind. */
export const objectOf = (bucket: Bucket, { prefix }: S3Kind, key: string): ObjectKey | undefined => {
  const object = { bucket, name: key.slice(prefix.length) }
  return key.startsWith(prefix) && isValidKey(object) ? object : undefined
}

/**
 * Two kinds of which one would take the objects of the other for its own: in the same bucket, and one prefix begins with
 * the other. Names of flat kinds have no slash, so a prefix that goes on with one is apart.
 */
export const mixedKinds = (kinds: S3Kinds): readonly [Bucket, Bucket] | undefined => {
  const used = buckets.flatMap((bucket) => {
    const kind = kinds[bucket]
    return kind === undefined ? [] : [{ bucket, kind }]
  })
  for (const one of used) {
    for (const other of used) {
      if (one === other || one.kind.bucket !== other.kind.bucket) continue
      if (!other.kind.prefix.startsWith(one.kind.prefix)) continue
      const rest = other.kind.prefix.slice(one.kind.prefix.length)
      const isApart = rest.includes("/") && (!isNestedBucket(one.bucket) || !/^[0-9a-f-]{36}\/$/.test(rest))
      if (!isApart) return [one.bucket, other.bucket]
    }
  }
  return undefined
}
