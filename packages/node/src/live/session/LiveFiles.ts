import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { LivePart } from "@kinora/media/live/Fragmenting"
import type { ClosedSegment, InitSection } from "@kinora/media/live/Segmenting"
import type { LiveOutput } from "@kinora/media/live/LivePlan"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { hlsName } from "@kinora/storage/platform/objects/ObjectIntents"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { playlistsBucket } from "@kinora/storage/video/write/NewRenditions"
import { S3Failure } from "@kinora/storage/platform/objects/s3/S3Failure"
import { Context, Duration, Effect, Layer } from "effect"
import { link } from "node:fs/promises"
import { basename } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exists } from "../../platform/folders/Exists.ts"
import { LiveParts } from "../../video/file/LiveParts.ts"
import { LivePlaylists } from "../../video/file/LivePlaylists.ts"
import type { LiveSegment } from "./MediaPlaylistLines.ts"
import { type FilesOfLive, ShownLive, type Version } from "./ShownLive.ts"
import { segmentDigest } from "./SegmentDigest.ts"

/** The files of one session as players see them. */
export interface LiveFilesOf extends Pick<FilesOfLive, "packaging"> {
  /** Serves a segment from now on. `begins`: it is the first of a run. */
  readonly add: (segment: ClosedSegment, at: number, begins: boolean) => Effect.Effect<LiveSegment, InsufficientStorage>
  /** Serves a part from now on. `at` is when its segment began. */
  readonly addPart: (part: LivePart, at: number) => Effect.Effect<void, InsufficientStorage>
  /** Writes the playlists anew. True once every version has a segment. */
  readonly publish: Effect.Effect<boolean>
  /** Says in the playlists that nothing follows. */
  readonly close: Effect.Effect<void>
  /** Removes everything that is served. */
  readonly remove: Effect.Effect<void>
}

/** Segments come every few seconds: one that takes longer would hold up the next. */
const storedWithin = Duration.seconds(4)

/** Serves the segments of lives: files in the object store, and playlists and parts from memory. */
export class LiveFiles extends Context.Service<
  LiveFiles,
  { readonly of: (live: FilesOfLive, outputs: ReadonlyArray<LiveOutput>) => LiveFilesOf }
>()("@kinora/node/live/session/LiveFiles") {
  static readonly layer = Layer.effect(
    LiveFiles,
    Effect.gen(function* () {
      const objects = yield* ObjectStore
      const { store_live_streams } = (yield* KinoraConfig).object_storage.streaming_playlists
      const playlists = yield* LivePlaylists
      const parts = yield* LiveParts

      const toDisk = Effect.fnUntraced(function* (key: ObjectKey, path: string, why: string) {
        yield* Effect.logWarning(`${key.name} of a live stays on disk: ${why}`)
        // It may have arrived at the last moment.
        if (yield* Effect.promise(() => exists(path))) yield* objects.put(key, path, "disk")
      })

      /** A live goes on whether or not the object storage keeps up: each file is served from where it is. */
      const store = (key: ObjectKey, path: string) =>
        store_live_streams
          ? Effect.asVoid(objects.put(key, path)).pipe(
              Effect.timeoutOrElse({
                duration: storedWithin,
                orElse: () => toDisk(key, path, "the object storage is too slow")
              }),
              Effect.catchDefect((defect) =>
                defect instanceof S3Failure ? toDisk(key, path, defect.message) : Effect.die(defect)
              )
            )
          : Effect.asVoid(objects.put(key, path, "disk"))

      /** What cannot be removed now belongs to nothing, and is found by the daily sweep. */
      const discard = (key: ObjectKey) =>
        objects
          .remove(key)
          .pipe(
            Effect.catchDefect((defect) =>
              defect instanceof S3Failure ? Effect.logWarning(defect.message) : Effect.die(defect)
            )
          )

      const of = (live: FilesOfLive, outputs: ReadonlyArray<LiveOutput>): LiveFilesOf => {
        const { keep, packaging, privacy, uuid } = live
        const shown = new ShownLive(live, outputs, playlists, parts)
        const keyOf = (name: string): ObjectKey => ({ bucket: playlistsBucket(privacy), name: hlsName(uuid, name) })

        /** Moves a file to where it is served, or a second name of it. Gives its bytes. */
        const serve = Effect.fnUntraced(function* (path: string, kept: boolean) {
          const digested = yield* Effect.promise(() => segmentDigest(path))
          const served = `${path}.served`
          if (kept) yield* Effect.promise(() => link(path, served))
          yield* store(keyOf(basename(path)), kept ? served : path)
          return digested
        })

        /** Serves the initialization section of a run before anything that needs it. */
        const begin = Effect.fnUntraced(function* (version: Version, init: InitSection | undefined) {
          if (init === undefined || version.init?.path === init.path) return
          const { digest } = yield* serve(init.path, keep)
          shown.begin(version, init, digest)
        })

        const beginsRun = (version: Version, isFirst: boolean): boolean => isFirst && version.window.files.length > 0
        const nameOf = (init: InitSection | undefined) => (init === undefined ? undefined : basename(init.path))

        const add = Effect.fnUntraced(function* (
          { init, path, resolution, seconds }: ClosedSegment,
          at: number,
          isFirst: boolean
        ) {
          const version = shown.version(resolution)
          yield* begin(version, init)
          // Segments of other runs have other names: nobody gets an old one from a cache.
          const name = basename(path)
          const file = yield* serve(path, keep)
          const begins = beginsRun(version, isFirst)
          const segment: LiveSegment = { name, seconds, ...file, at, begins, init: nameOf(init) }
          shown.closeParts(version, keyOf(name))
          for (const old of version.window.add(segment)) yield* discard(keyOf(old.name))
          for (const old of shown.endedInits(version)) yield* discard(keyOf(old))
          return segment
        })

        const addPart = Effect.fnUntraced(function* (part: LivePart, at: number) {
          const { bytes, independent, init, name, next, resolution, seconds } = part
          const version = shown.version(resolution)
          yield* begin(version, init)
          const begins = beginsRun(version, part.segment === 0)
          version.window.addPart({ name, seconds, independent }, { at, begins, init: nameOf(init) }, next)
          shown.addPart(version, name, bytes, next)
        })

        return {
          packaging,
          add,
          addPart,
          publish: Effect.sync(() => shown.publish()),
          close: Effect.sync(() => shown.close()),
          remove: Effect.gen(function* () {
            shown.remove()
            for (const { inits, window } of shown.versions) {
              for (const { name } of window.files) yield* discard(keyOf(name))
              for (const name of inits.keys()) yield* discard(keyOf(name))
            }
          })
        }
      }

      return LiveFiles.of({ of })
    })
  )
}
