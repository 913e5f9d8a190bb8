import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, type Effect, type Option, type Stream } from "effect"
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
     * replaced.
     */
    put(key: ObjectKey, sourcePath: string): Effect.Effect<ObjectStat, InsufficientStorage>
    stat(key: ObjectKey): Effect.Effect<ObjectStat, ObjectNotFound>
    /** The bytes of the object, or of a range within it. */
    openRead(key: ObjectKey, range?: ByteRange): Stream.Stream<Uint8Array, ObjectNotFound>
    /** Idempotent. */
    remove(key: ObjectKey): Effect.Effect<void>
    /** Removes all files of one video in a bucket of HLS files. Idempotent. */
    removeFolder(bucket: Bucket, folder: string): Effect.Effect<void>
    /**
     * Gives an object a second name, which must be new, for example when a video becomes private. Avoids copying bytes
     * if possible.
     */
    copy(from: ObjectKey, to: ObjectKey): Effect.Effect<void, ObjectNotFound | InsufficientStorage>
    /** The local file of the object, if there is one: for ffmpeg and for serving from a file descriptor. */
    localPath(key: ObjectKey): Option.Option<string>
    /** All objects of a bucket, in no particular order. Objects added or removed meanwhile may be missing. */
    list(bucket: Bucket): Stream.Stream<ListedObject>
    /** Bytes that can still be written to the bucket; infinite if the store has no known limit. */
    freeBytes(bucket: Bucket): Effect.Effect<number>
  }
>()("@kinora/storage/objects/ObjectStore") {}
