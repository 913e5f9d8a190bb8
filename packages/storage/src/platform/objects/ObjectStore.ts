import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, type Effect, type Scope, type Stream } from "effect"
import type { Bucket, ObjectKey } from "./ObjectKey.ts"

/** An object in a listing. */
export interface ListedObject extends ObjectStat {
  readonly key: ObjectKey
}

/** There is no such object, or its name is not valid. */
export class ObjectNotFound extends Data.TaggedError("ObjectNotFound")<{ readonly key: ObjectKey }> {}

export interface ObjectStat {
  /** Bytes. */
  readonly size: number
  readonly modifiedAt: Date
}

/** Where the bytes of an object are. */
export type StoreName = "disk" | "s3"

/** An object in object storage. */
export interface S3Place extends ObjectStat {
  readonly _tag: "S3"
  /** Strong entity tag with its quotes: the same for the same bytes. */
  readonly etag: string
  /** Address from which anybody may read the object; undefined for private ones. */
  readonly publicUrl: string | undefined
  /** An address from which anybody may read the object for so many seconds. `headers` override those of the answer. */
  readonly sign: (
    seconds: number,
    headers?: { readonly contentType?: string; readonly contentDisposition?: string; readonly cacheControl?: string }
  ) => Effect.Effect<string>
}

/** Where an object is: in a local file, or in object storage. */
export type ObjectPlace = { readonly _tag: "Disk"; readonly path: string } | S3Place

/** Both ends inclusive, as in an HTTP range. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Storage for files. We choose the names, never clients: reading an invalid name is the same as reading a missing
 * object, writing one is a defect. Objects appear completely or not at all and are never changed.
 */
export class ObjectStore extends Context.Service<
  ObjectStore,
  {
    /**
     * Moves a finished local file in: `sourcePath` no longer exists afterwards. An existing object of that name is
     * replaced. Where it is stored is a matter of configuration, unless `to` says that it stays on this disk.
     */
    put(key: ObjectKey, sourcePath: string, to?: "disk"): Effect.Effect<ObjectStat, InsufficientStorage>
    stat(key: ObjectKey): Effect.Effect<ObjectStat, ObjectNotFound>
    /** The bytes of the object, or of a range within it. */
    openRead(key: ObjectKey, range?: ByteRange): Stream.Stream<Uint8Array, ObjectNotFound>
    /** Idempotent. `from`: only from there, when the object was moved to the other. */
    remove(key: ObjectKey, from?: StoreName): Effect.Effect<void>
    /** Removes all files of one video in a bucket of HLS files. Idempotent. */
    removeFolder(bucket: Bucket, folder: string): Effect.Effect<void>
    /**
     * Gives an object a second name, which must be new, for example when a video becomes private. Avoids copying bytes
     * if possible.
     */
    copy(from: ObjectKey, to: ObjectKey): Effect.Effect<void, ObjectNotFound | InsufficientStorage>
    /** Where the object is, to serve it from there. That a local file exists is not checked. */
    place(key: ObjectKey): Effect.Effect<ObjectPlace, ObjectNotFound>
    /** A local file of the object, for programs that read it: the object itself, or a copy in the folder. */
    localFile(key: ObjectKey, folder: string): Effect.Effect<string, ObjectNotFound | InsufficientStorage>
    /** The same; a copy is kept until the scope ends. */
    scopedFile(key: ObjectKey): Effect.Effect<string, ObjectNotFound | InsufficientStorage, Scope.Scope>
    /** Whether the bytes are there: asks the disk or the object storage, whatever rows say. */
    isThere(key: ObjectKey): Effect.Effect<boolean>
    /** Makes an object known whose bytes are in object storage, and of which that was forgotten. False: there are none. */
    recover(key: ObjectKey): Effect.Effect<boolean>
    /** Removes parts from the object storage that nobody completed for so many days; gives how many uploads they were of. */
    giveUpUploads(days: number): Effect.Effect<number>
    /** All objects of a bucket, in no particular order. Objects added or removed meanwhile may be missing. */
    list(bucket: Bucket): Stream.Stream<ListedObject>
    /** Bytes that can still be written to the bucket; infinite if the store has no known limit. */
    freeBytes(bucket: Bucket): Effect.Effect<number>
  }
>()("@kinora/storage/objects/ObjectStore") {}
