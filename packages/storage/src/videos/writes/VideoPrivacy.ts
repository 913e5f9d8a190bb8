import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../database/Database.ts"
import type { ObjectKey } from "../../objects/ObjectKey.ts"
import { ObjectStore } from "../../objects/ObjectStore.ts"
import { isPrivate, playlistsBucket, webVideosBucket } from "./NewRenditions.ts"
import { keepObjects, type ObjectName, removeLater } from "./Removals.ts"
import { filesOf, lockVideo, objectsOf, playlistObjects } from "./VideoFiles.ts"

const published = 1

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const objects = yield* ObjectStore

  /** Moves one object; one that was moved before, by an attempt that died, is left where it is. */
  const move = (from: ObjectKey, to: ObjectKey) =>
    objects
      .move(from, to)
      .pipe(
        Effect.catchTag("ObjectNotFound", () =>
          Effect.asVoid(objects.stat(to)).pipe(
            Effect.catchTag("ObjectNotFound", () =>
              Effect.logWarning(`${from.bucket}/${from.name} is missing and keeps missing under its new place`)
            )
          )
        )
      )

  const set = Effect.fn("VideoPrivacy.set")(
    function* (videoId: number, privacy: number) {
      const video = yield* lockVideo(sql, videoId)
      if (video === undefined) return false
      if (isPrivate(video.privacy) !== isPrivate(privacy)) {
        const files = yield* filesOf(sql, videoId)
        const old = [
          ...files.flatMap((file) => objectsOf(video, file)),
          ...(yield* playlistObjects(sql, video))
        ].filter(({ bucket }) => bucket !== "torrents")
        const target = (object: ObjectName): ObjectName => ({
          bucket: object.bucket.startsWith("web_videos") ? webVideosBucket(privacy) : playlistsBucket(privacy),
          name: object.name
        })
        for (const object of old) yield* move(object as ObjectKey, target(object) as ObjectKey)
        yield* keepObjects(sql, old.map(target))
        yield* removeLater(sql, old, Duration.toSeconds(Duration.minutes(1)))
      }
      yield* sql`
      update video set privacy = ${privacy}, wire_summary = null, updated_at = now(),
        published_at = case when ${isPrivate(video.privacy)} and state = ${published} then now() else published_at end
      where id = ${videoId}
    `
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return VideoPrivacy.of({ set })
})

/**
 * Changes who may see a video. Files of videos that are not for everybody lie in folders of their own, so they move along.
 * Names stay: somebody who knew the address of a public file finds nothing there any more, and learns no private one.
 */
export class VideoPrivacy extends Context.Service<
  VideoPrivacy,
  {
    /** False when there is no such local video. */
    readonly set: (
      videoId: number,
      privacy: number
    ) => Effect.Effect<boolean, InsufficientStorage | DatabaseUnavailable>
  }
>()("@kinora/storage/videos/writes/VideoPrivacy") {
  static readonly layer = Layer.effect(VideoPrivacy, make)
}
