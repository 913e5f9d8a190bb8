import { type ActorImageType, actorImageTypeIds } from "@kinora/domain/enums/ImageSizes"
import { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { actorImages } from "./ActorJson.ts"
import { actorRows } from "./ActorTexts.ts"
import {
  abandonObjects,
  intendObjects,
  keepObjects,
  type ObjectName,
  removeLater
} from "../../platform/objects/ObjectIntents.ts"

/** One size of an image, in pixels. */
export interface NewActorImage {
  readonly filename: string
  readonly width: number
  readonly height: number
}

/** The stored object of an actor's image. */
export const actorImageObject = (filename: string): ObjectName & { readonly bucket: "avatars" } => ({
  bucket: "avatars",
  name: filename
})

/**
 * Removes images of actors in the caller's transaction, all or those of one type, and queues their files for removal. False:
 * there were none. Must be called before actors are deleted, since the rows are deleted with them.
 */
export const dropActorImages = Effect.fnUntraced(function* (
  sql: SqlClient,
  actorIds: ReadonlyArray<number>,
  type?: ActorImageType
) {
  if (actorIds.length === 0) return false
  const id = type === undefined ? null : actorImageTypeIds[type]
  const dropped = yield* sql<{ filename: string }>`
    delete from actor_image where actor_id = any(${actorIds}::int[]) and type = coalesce(${id}::smallint, type)
    returning filename`
  yield* removeLater(
    sql,
    dropped.map(({ filename }) => actorImageObject(filename)),
    0
  )
  return dropped.length > 0
})

/** Avatars and banners of actors. */
export class ActorImageRows extends Context.Service<
  ActorImageRows,
  {
    /** Must be called before files are stored: unless `replace` follows within a day, they are removed. */
    readonly intend: (filenames: ReadonlyArray<string>) => Effect.Effect<void, DatabaseUnavailable>
    /** Removes files at once that were stored but not used. */
    readonly abandon: (filenames: ReadonlyArray<string>) => Effect.Effect<void, DatabaseUnavailable>
    /** Replaces the actor's images by stored files, and returns them as clients see them, largest first. */
    readonly replace: (
      actorId: number,
      type: ActorImageType,
      images: ReadonlyArray<NewActorImage>
    ) => Effect.Effect<ReadonlyArray<ActorImage>, ActorNotFound | DatabaseUnavailable>
    /** Removes the image. False: there is none. */
    readonly remove: (
      actorId: number,
      type: ActorImageType
    ) => Effect.Effect<boolean, ActorNotFound | DatabaseUnavailable>
  }
>()("@kinora/storage/actors/ActorImageRows") {
  static readonly layer = Layer.effect(
    ActorImageRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      /**
       * Allows one change of an actor's images at a time. The owner is locked first, in the same order as when it is
       * removed: so nothing is stored for an owner that is being deleted, and a new video either waits or sees the new
       * image.
       */
      const touch = Effect.fnUntraced(function* (actorId: number) {
        yield* sql`select 1 from account where actor_id = ${actorId} for no key update`
        yield* sql`select 1 from video_channel where actor_id = ${actorId} for no key update`
        const rows = yield* sql`update actor set updated_at = now() where id = ${actorId} returning id`
        if (rows.length === 0) return yield* new ActorNotFound()
      })

      const objects = (filenames: ReadonlyArray<string>) => filenames.map(actorImageObject)

      const intend = Effect.fn("ActorImageRows.intend")(
        (filenames: ReadonlyArray<string>) => intendObjects(sql, objects(filenames)),
        withDatabaseErrors
      )

      const abandon = Effect.fn("ActorImageRows.abandon")(function* (filenames: ReadonlyArray<string>) {
        yield* abandonObjects(sql, objects(filenames))
      }, withDatabaseErrors)

      const replace = Effect.fn("ActorImageRows.replace")(
        function* (actorId: number, type: ActorImageType, images: ReadonlyArray<NewActorImage>) {
          yield* touch(actorId)
          yield* dropActorImages(sql, [actorId], type)
          const id = actorImageTypeIds[type]
          yield* sql`
            insert into actor_image (actor_id, type, filename, width, height)
            select ${actorId}, ${id}::smallint, i.filename, i.width, i.height
            from json_to_recordset(${JSON.stringify(images)}::text::json) as i (filename text, width int, height int)`
          yield* keepObjects(sql, objects(images.map(({ filename }) => filename)))
          const actor = (yield* actorRows(sql, [actorId])).get(actorId)
          return actor === undefined ? [] : actorImages(actor, id)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("ActorImageRows.remove")(
        function* (actorId: number, type: ActorImageType) {
          yield* touch(actorId)
          return yield* dropActorImages(sql, [actorId], type)
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return ActorImageRows.of({ intend, abandon, replace, remove })
    })
  )
}
