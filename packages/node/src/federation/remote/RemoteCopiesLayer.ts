import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { Pictures } from "@kinora/media/images/Pictures"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { type CopiedBucket, RemoteCopyRows, type CopySource } from "@kinora/storage/federation/remote/RemoteCopyRows"
import { readTorrent } from "@kinora/torrent/metainfo/Metainfo"
import { Clock, Data, Effect, FileSystem, Layer, Semaphore } from "effect"
import { join } from "node:path"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteCopies } from "../../video/file/RemoteCopies.ts"
import { makeFlights } from "./Flights.ts"

/** Bytes of a file of others that are taken. */
const maxBytes = { picture: 8 * 1024 * 1024, caption: 2 * 1024 * 1024, torrent: 4 * 1024 * 1024 } as const
/** Copies that are made at once. */
const atOnce = 4
/** Milliseconds for which what could not be had is not asked for again. */
const failedFor = 10 * 60_000
const maxFailures = 5_000
const captionStart = /^\uFEFF?WEBVTT/

class NotCopied extends Data.TaggedError("NotCopied")<{ readonly why: string }> {}

/** Copies files of other instances on demand. */
export const remoteCopies = Layer.effect(
  RemoteCopies,
  Effect.gen(function* () {
    const { cache, storage } = yield* KinoraConfig
    // The oldest go first, and come again when they are asked for.
    const most: Readonly<Record<CopiedBucket, number>> = {
      thumbnails: cache.previews.size,
      avatars: cache.previews.size,
      storyboards: cache.storyboards.size,
      captions: cache.captions.size,
      torrents: cache.torrents.size
    }
    const guarded = yield* GuardedFetch
    const pictures = yield* Pictures
    const store = yield* ObjectStore
    const rows = yield* RemoteCopyRows
    const fs = yield* FileSystem.FileSystem
    const turns = yield* Semaphore.make(atOnce)
    const flights = yield* makeFlights<boolean, DatabaseUnavailable>()
    const failures = new Map<string, number>()

    const picture = Effect.fnUntraced(function* (source: CopySource, folder: string) {
      const original = join(folder, "original")
      const made = join(folder, "copy.jpg")
      yield* guarded.toFile(source.url, original, { types: ["image/*"], maxBytes: maxBytes.picture })
      const target = { path: made, width: source.width ?? 280, height: source.height ?? 157 }
      yield* pictures.write(original, [target], "cover", "#ffffff")
      return made
    })

    const caption = Effect.fnUntraced(function* (source: CopySource, folder: string) {
      const types = ["text/vtt", "text/plain", "application/octet-stream"]
      const { value } = yield* guarded.text(source.url, { types, maxBytes: maxBytes.caption })
      if (!captionStart.test(value)) return yield* new NotCopied({ why: "no WebVTT" })
      const path = join(folder, "copy.vtt")
      yield* fs.writeFileString(path, value)
      return path
    })

    /** Passed on as it is, if it is that of the file: its info hash says so. */
    const torrent = Effect.fnUntraced(function* (source: CopySource, folder: string) {
      const types = ["application/x-bittorrent", "application/octet-stream"]
      const { value } = yield* guarded.bytes(source.url, { types, maxBytes: maxBytes.torrent })
      const { info } = yield* readTorrent(value)
      if (info.infoHash !== source.infoHash) return yield* new NotCopied({ why: "the torrent of another file" })
      const path = join(folder, "copy.torrent")
      yield* fs.writeFile(path, value)
      return path
    })

    const fetched = (bucket: CopiedBucket, source: CopySource, folder: string) => {
      if (bucket === "captions") return caption(source, folder)
      return bucket === "torrents" ? torrent(source, folder) : picture(source, folder)
    }

    const copy = Effect.fnUntraced(function* (bucket: CopiedBucket, name: string, source: CopySource) {
      const folder = yield* fs.makeTempDirectoryScoped({ directory: storage.tmp, prefix: "copy-" })
      const path = yield* fetched(bucket, source, folder)
      yield* rows.storing(
        bucket,
        name,
        Effect.flatMap(store.put({ bucket, name }, path), ({ size }) => rows.stored(bucket, name, size, most[bucket]))
      )
    }, Effect.scoped)

    const failed = Effect.fnUntraced(function* (key: string) {
      failures.delete(key)
      if (failures.size >= maxFailures) failures.delete(failures.keys().next().value!)
      failures.set(key, (yield* Clock.currentTimeMillis) + failedFor)
      return false
    })

    const make = Effect.fn("RemoteCopies.make")(function* (bucket: CopiedBucket, name: string) {
      const source = yield* rows.source(bucket, name)
      if (source === undefined) return false
      return yield* turns.withPermit(copy(bucket, name, source)).pipe(
        Effect.as(true),
        Effect.catchTag(
          ["FetchError", "UnsupportedPicture", "PlatformError", "InsufficientStorage", "NotCopied", "TorrentUnusable"],
          (error) =>
            Effect.andThen(
              Effect.logDebug(`No copy of ${source.url} was made: ${error.message}`),
              failed(`${bucket}/${name}`)
            )
        )
      )
    })

    const ensure = Effect.fnUntraced(function* (bucket: CopiedBucket, name: string) {
      const key = `${bucket}/${name}`
      if ((failures.get(key) ?? 0) > (yield* Clock.currentTimeMillis)) return false
      return yield* flights.join(key, make(bucket, name))
    })

    return RemoteCopies.of({ ensure })
  })
)
