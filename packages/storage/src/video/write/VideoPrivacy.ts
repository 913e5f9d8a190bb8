import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { ObjectStore } from "../../platform/objects/ObjectStore.ts"
import { again, FilesChanged, usingNewObjects } from "./NewObjects.ts"
import { isPrivate } from "./NewRenditions.ts"
import { carryOut, type FileSet, type Relocation, relocation } from "./Relocation.ts"
import { keepObjects, removeLater } from "../../platform/objects/ObjectIntents.ts"
import { filesOf, findVideo, lockVideo, playlistsOf, type VideoRow } from "./VideoFiles.ts"

const published = 1
const passwordProtected = 5

/** Other changes in the transaction that changes the privacy. */
export interface Besides<E> {
  /** Takes locks that come before that of the video. */
  readonly before: Effect.Effect<void, E | SqlError>
  /** Receives the video as it was. */
  readonly after: (video: VideoRow) => Effect.Effect<void, E | SqlError>
}

const nothing: Besides<never> = { before: Effect.void, after: () => Effect.void }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const objects = yield* ObjectStore

  const filesNow = Effect.fnUntraced(function* (video: VideoRow) {
    const files = yield* filesOf(sql, video.id)
    const playlists = yield* playlistsOf(sql, video.id)
    return { uuid: video.uuid, privacy: video.privacy, files, playlists } satisfies FileSet
  })

  const rename = Effect.fnUntraced(function* (plan: Relocation, graceSeconds: number) {
    for (const file of plan.files) {
      yield* sql`
        update video_file set filename = ${file.filename}, playlist_filename = ${file.playlistFilename},
          torrent_filename = ${file.torrentFilename}, updated_at = now()
        where id = ${file.id}
      `
    }
    for (const playlist of plan.playlists) {
      yield* sql`
        update streaming_playlist set playlist_filename = ${playlist.master},
          segments_sha256_filename = ${playlist.segments}, updated_at = now()
        where id = ${playlist.id}
      `
    }
    yield* keepObjects(
      sql,
      plan.steps.map(({ to }) => to)
    )
    yield* removeLater(
      sql,
      plan.steps.map(({ from }) => from),
      graceSeconds
    )
  })

  /** Applies the privacy, with the files planned for `seen`: the video as it was then. */
  const commit = <E>(
    videoId: number,
    privacy: number,
    seen: FileSet,
    plan: Relocation | undefined,
    besides: Besides<E>
  ) =>
    Effect.gen(function* () {
      yield* besides.before
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return yield* new FilesChanged({ videoId })
      if (plan === undefined && isPrivate(video.privacy) !== isPrivate(seen.privacy))
        return yield* new FilesChanged({ videoId })
      if (plan !== undefined) {
        const now = yield* filesNow(video)
        const same =
          isPrivate(now.privacy) === isPrivate(seen.privacy) &&
          JSON.stringify([now.files, now.playlists]) === JSON.stringify([seen.files, seen.playlists])
        if (!same) return yield* new FilesChanged({ videoId })
        // Files of a video that becomes private disappear from the public folder at once. In the other direction
        // players have a minute.
        yield* rename(plan, isPrivate(privacy) ? 0 : Duration.toSeconds(Duration.minutes(1)))
      }
      yield* sql`
        update video set privacy = ${privacy}, updated_at = now(),
          published_at = case
            when ${isPrivate(video.privacy)} and privacy <> ${privacy} and state = ${published} then now()
            else published_at end
        where id = ${videoId}
      `
      if (privacy !== passwordProtected) yield* sql`delete from video_password where video_id = ${videoId}`
      yield* besides.after(video)
      return true
    }).pipe(sql.withTransaction, withDatabaseErrors)

  const attempt = Effect.fnUntraced(function* <E>(videoId: number, privacy: number, besides: Besides<E>) {
    const video = yield* withDatabaseErrors(findVideo(sql, videoId))
    if (video === undefined) return false
    const seen = yield* withDatabaseErrors(filesNow(video))
    if (isPrivate(video.privacy) === isPrivate(privacy))
      return yield* commit(videoId, privacy, seen, undefined, besides)
    const [row] = yield* withDatabaseErrors(sql<{ origin: string }>`select coalesce(wire_origin(), '') as origin`)
    const plan = relocation(seen, privacy, row!.origin)
    const fresh = plan.steps.map(({ to }) => to)
    return yield* usingNewObjects(
      sql,
      fresh,
      Effect.andThen(carryOut(objects, plan), commit(videoId, privacy, seen, plan, besides))
    )
  })

  const set = <E = never>(videoId: number, privacy: number, besides: Besides<E> = nothing) =>
    again(attempt(videoId, privacy, besides)).pipe(Effect.withSpan("VideoPrivacy.set"))

  return VideoPrivacy.of({ set })
})

/**
 * Changes the privacy of a video. Files of restricted videos are stored in separate folders: they move there under new
 * names, so that nobody who knew the public names can guess them. The old files stay until the new ones are in use:
 * wherever this ends, the video has one complete set, and leftovers are on the removal queue.
 */
export class VideoPrivacy extends Context.Service<
  VideoPrivacy,
  {
    /**
     * False if there is no such local video. Passwords are deleted when the video is no longer password-protected. An
     * error in `besides` undoes everything.
     */
    readonly set: <E = never>(
      videoId: number,
      privacy: number,
      besides?: Besides<E>
    ) => Effect.Effect<boolean, E | InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/VideoPrivacy") {
  static readonly layer = Layer.effect(VideoPrivacy, make)
}
