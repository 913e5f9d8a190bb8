import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, type Effect, type Option, type Stream } from "effect"
import type { Bucket, ObjectKey } from "./ObjectKey.ts"

/** There is no such object, or its name cannot be one. */
export class ObjectNotFound extends Data.TaggedError("ObjectNotFound")<{ readonly key: ObjectKey }> {}

export interface ObjectStat {
  /** Bytes. */
  readonly size: number
  readonly modifiedAt: Date
}

/** Both ends included, as in an HTTP range. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * Where files live. Names are made by us and never by clients; asking for a name that cannot exist is asking for a
 * missing object, writing one is a defect. Objects appear whole or not at all and are never changed.
 */
export class ObjectStore extends Context.Service<
  ObjectStore,
  {
    /** Moves a finished local file in: `sourcePath` is gone afterwards. An object of the name is replaced. */
    put(key: ObjectKey, sourcePath: string): Effect.Effect<ObjectStat, InsufficientStorage>
    stat(key: ObjectKey): Effect.Effect<ObjectStat, ObjectNotFound>
    /** The bytes of the object or of a range that lies within it. */
    openRead(key: ObjectKey, range?: ByteRange): Stream.Stream<Uint8Array, ObjectNotFound>
    /** Idempotent. */
    remove(key: ObjectKey): Effect.Effect<void>
    /** Removes everything of one video in a bucket of streaming playlists. Idempotent. */
    removeFolder(bucket: Bucket, folder: string): Effect.Effect<void>
    /** Gives an object a second name, which must be new, as when a video turns private; no bytes are copied if it can be. */
    copy(from: ObjectKey, to: ObjectKey): Effect.Effect<void, ObjectNotFound | InsufficientStorage>
    /** The file behind the object, where there is one: for ffmpeg and for serving from a descriptor. */
    localPath(key: ObjectKey): Option.Option<string>
    /** Bytes that can still be written to the bucket; infinite where the store knows no limit. */
    freeBytes(bucket: Bucket): Effect.Effect<number>
  }
>()("@kinora/storage/objects/ObjectStore") {}
