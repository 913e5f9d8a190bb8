import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { type FetchError, isTransient } from "@kinora/federation/fetch/FetchError"
import { GuardedFetch } from "@kinora/federation/fetch/GuardedFetch"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { isValidKey, type ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import type { RedundancyJob } from "@kinora/storage/federation/redundancy/RedundancyPlans"
import { type CopiedVideo, RedundancyRows } from "@kinora/storage/federation/redundancy/RedundancyRows"
import { abandonObjects, hlsName, intendObjects } from "@kinora/storage/platform/objects/ObjectIntents"
import { Context, Data, Duration, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { hlsNames } from "./HlsNames.ts"
import { RedundancySettings } from "./RedundancySettings.ts"

/** Nothing was copied. `final`: nor would it be another time. */
export class CopyFailed extends Data.TaggedError("CopyFailed")<{ readonly why: string; readonly final: boolean }> {
  override get message(): string {
    return this.why
  }
}

const mebibyte = 1024 * 1024
const maxPlaylistBytes = 4 * mebibyte
/** Playlists of one video: one a rendition, and those of sound and subtitles. */
const maxPlaylists = 40
/** Bytes a copy may have beyond what is said of its files: playlists and hashes. */
const spareBytes = 32 * mebibyte
/** Files of one video may be as large as it says. */
const longest = Duration.toMillis(Duration.hours(6))

const playlistTypes = [
  "application/vnd.apple.mpegurl",
  "application/x-mpegurl",
  "audio/mpegurl",
  "audio/x-mpegurl",
  "application/octet-stream",
  "text/plain"
]
const mediaTypes = ["video/*", "audio/*", "application/mp4", "application/octet-stream", "text/vtt"]

const failed = (error: FetchError) =>
  new CopyFailed({ why: `${error.url}: ${error.reason._tag}`, final: !isTransient(error) })

/**
 * The last part of a path, when nothing but a name of a file with this ending is after the folder of another URL. What it
 * ends in decides how our origin serves it.
 */
const beside = (url: string, folder: string, ending: ".m3u8" | ".json"): string | undefined => {
  const name = url.startsWith(folder) ? url.slice(folder.length) : ""
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$/.test(name) && name.endsWith(ending) ? name : undefined
}

/** Copies the HLS files of a video of another instance, under the names they have there. */
export class CopyVideo extends Context.Service<
  CopyVideo,
  {
    /** Succeeds when there is a copy, made now or before. */
    readonly copy: (job: RedundancyJob) => Effect.Effect<void, CopyFailed | InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/node/redundancy/CopyVideo") {
  static readonly layer = Layer.effect(
    CopyVideo,
    Effect.gen(function* () {
      const fetch = yield* GuardedFetch
      const rows = yield* RedundancyRows
      const settings = yield* RedundancySettings
      const sql = yield* SqlClient
      const store = yield* ObjectStore
      yield* Effect.promise(() => rm(settings.folder, { recursive: true, force: true }))

      const workFolder = (video: CopiedVideo) =>
        Effect.acquireRelease(
          Effect.promise(async () => {
            const folder = join(settings.folder, video.uuid)
            await rm(folder, { recursive: true, force: true })
            await mkdir(folder, { recursive: true, mode: 0o700 })
            return folder
          }),
          (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
        )

      const text = (url: string, types: ReadonlyArray<string>) =>
        Effect.mapError(fetch.text(url, { types, maxBytes: maxPlaylistBytes }), failed)

      const namesIn = Effect.fnUntraced(function* (playlist: string) {
        const names = hlsNames(playlist)
        return Result.isSuccess(names)
          ? names.success
          : yield* new CopyFailed({ why: `It names a file that cannot be copied: ${names.failure}`, final: true })
      })

      /** The playlists by name, and the names of the media they lead to. */
      const explore = Effect.fnUntraced(function* (master: string, folderUrl: string, url: string) {
        const playlists = new Map<string, string>([[master, (yield* text(url, playlistTypes)).value]])
        const media = new Set<string>()
        for (const [, playlist] of playlists) {
          for (const name of yield* namesIn(playlist)) {
            if (!name.endsWith(".m3u8")) media.add(name)
            else if (!playlists.has(name)) {
              if (playlists.size >= maxPlaylists) {
                return yield* new CopyFailed({ why: "It has too many playlists", final: true })
              }
              playlists.set(name, (yield* text(folderUrl + name, playlistTypes)).value)
            }
          }
        }
        return { playlists, media }
      })

      const bring = Effect.fnUntraced(function* (video: CopiedVideo, job: RedundancyJob, url: string) {
        const folderUrl = url.slice(0, url.lastIndexOf("/") + 1)
        const master = beside(url, folderUrl, ".m3u8")
        if (master === undefined) {
          return yield* new CopyFailed({ why: "The address of its playlist has no name", final: true })
        }
        const { media, playlists } = yield* explore(master, folderUrl, url)
        const hashes = video.segmentsUrl === null ? undefined : beside(video.segmentsUrl, folderUrl, ".json")
        if (hashes !== undefined && !playlists.has(hashes) && !media.has(hashes)) {
          playlists.set(hashes, (yield* text(folderUrl + hashes, ["application/json", "text/plain"])).value)
        }

        const keyOf = (name: string): ObjectKey => ({ bucket: "redundancy", name: hlsName(video.uuid, name) })
        const keys = [...playlists.keys(), ...media].map(keyOf)
        if (!keys.every(isValidKey)) return yield* new CopyFailed({ why: "It has names no file may have", final: true })
        yield* withDatabaseErrors(intendObjects(sql, keys))

        const folder = yield* workFolder(video)
        let room = video.size + spareBytes
        const take = Effect.fnUntraced(function* (name: string, file: string, bytes: number) {
          room -= bytes
          if (room < 0) return yield* new CopyFailed({ why: "It is larger than it says", final: true })
          yield* store.put(keyOf(name), file)
        })
        for (const name of media) {
          const file = join(folder, name)
          const { value } = yield* fetch
            .toFile(folderUrl + name, file, { types: mediaTypes, maxBytes: Math.max(1, room), wholeMillis: longest })
            .pipe(Effect.mapError(failed))
          yield* take(name, file, value)
        }
        // Whoever finds a playlist finds what it names.
        for (const [name, playlist] of playlists) {
          const file = join(folder, name)
          yield* Effect.promise(() => writeFile(file, playlist))
          yield* take(name, file, Buffer.byteLength(playlist))
        }
        const kept = yield* rows.keep({
          videoId: video.id,
          playlistId: video.playlistId!,
          uuid: video.uuid,
          strategy: job.strategy,
          size: video.size + spareBytes - room,
          files: keys.map(({ name }) => name),
          lifetimeMillis: job.lifetimeMillis
        })
        if (!kept) yield* withDatabaseErrors(abandonObjects(sql, keys))
      })

      const copy = Effect.fn("CopyVideo.copy")(function* (job: RedundancyJob) {
        const found = yield* rows.video(job.videoId)
        const video = Option.getOrUndefined(found)
        if (video === undefined || video.copied) return
        if (!video.remote || video.isLive || !video.open || video.playlistUrl === null) {
          return yield* new CopyFailed({ why: "It is not to be copied", final: true })
        }
        yield* Effect.scoped(bring(video, job, video.playlistUrl))
      })

      return CopyVideo.of({ copy })
    })
  )
}
