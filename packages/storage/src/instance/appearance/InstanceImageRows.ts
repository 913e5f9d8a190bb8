import { type LogoType, logoTypeIds } from "@kinora/domain/enums/LogoType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actorImages } from "../../people/actor/ActorJson.ts"
import { actorRows } from "../../people/actor/ActorTexts.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { abandonObjects, intendObjects, keepObjects, removeLater } from "../../platform/objects/ObjectIntents.ts"
import { settingsChannel } from "../settings/SettingNotices.ts"

/** A stored logo, in pixels. */
export interface StoredLogo {
  readonly type: LogoType
  readonly filename: string
  readonly width: number
  readonly height: number
}

/** Pictures of the instance: those of its own actor, and its logos. */
export interface InstanceImages {
  readonly actorId: number | undefined
  readonly avatars: ReadonlyArray<ActorImage>
  readonly banners: ReadonlyArray<ActorImage>
  readonly logos: ReadonlyArray<StoredLogo>
}

/** The stored object of a logo. */
export const logoObject = (filename: string) => ({ bucket: "uploads", name: filename }) as const

const typeOf = (id: number): LogoType | undefined =>
  (Object.keys(logoTypeIds) as ReadonlyArray<LogoType>).find((type) => logoTypeIds[type] === id)

/** Pictures of the instance. Every change notifies all nodes, as a change of settings does. */
export class InstanceImageRows extends Context.Service<
  InstanceImageRows,
  {
    readonly all: Effect.Effect<InstanceImages, DatabaseUnavailable>
    /** Must be called before the file is stored: unless `setLogo` follows within a day, it is removed. */
    readonly intend: (filename: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Removes a file at once that was stored but not used. */
    readonly abandon: (filename: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Replaces the logo of this kind by a stored file. `within` runs in the same transaction. */
    readonly setLogo: <E>(
      logo: StoredLogo,
      within: Effect.Effect<void, E>
    ) => Effect.Effect<void, E | DatabaseUnavailable>
    /** Removes the logo of this kind. Does nothing if there is none. */
    readonly removeLogo: <E>(
      type: LogoType,
      within: Effect.Effect<void, E>
    ) => Effect.Effect<void, E | DatabaseUnavailable>
    /** Notifies all nodes that a picture of the instance's actor has changed. */
    readonly notify: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/appearance/InstanceImageRows") {
  static readonly layer = Layer.effect(
    InstanceImageRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const notify = sql`select pg_notify(${settingsChannel}, '')`

      const all = withDatabaseErrors(
        Effect.gen(function* () {
          const [instance] = yield* sql<{
            id: number
          }>`select instance_actor() as id where instance_actor() is not null`
          const actor = instance === undefined ? undefined : (yield* actorRows(sql, [instance.id])).get(instance.id)
          const rows = yield* sql<{ type: number; filename: string; width: number; height: number }>`
            select type, filename, width, height from instance_logo order by type`
          return {
            actorId: instance?.id,
            avatars: actor === undefined ? [] : actorImages(actor, 1),
            banners: actor === undefined ? [] : actorImages(actor, 2),
            logos: rows.flatMap(({ type: id, ...file }) => {
              const type = typeOf(id)
              return type === undefined ? [] : [{ type, ...file }]
            })
          } satisfies InstanceImages
        })
      )

      const drop = Effect.fnUntraced(function* (type: LogoType) {
        const dropped = yield* sql<{ filename: string }>`
          delete from instance_logo where type = ${logoTypeIds[type]} returning filename`
        yield* removeLater(
          sql,
          dropped.map(({ filename }) => logoObject(filename)),
          0
        )
        return dropped.length > 0
      })

      /** One change of logos at a time. */
      const inTurn = <E>(change: Effect.Effect<void, E>) =>
        withDatabaseErrors(
          sql.withTransaction(
            sql`lock table instance_logo in share row exclusive mode`.pipe(
              Effect.andThen(change),
              Effect.andThen(notify),
              Effect.asVoid
            )
          )
        ) as Effect.Effect<void, Exclude<E, { readonly _tag: "SqlError" }> | DatabaseUnavailable>

      const setLogo = <E>({ filename, height, type, width }: StoredLogo, within: Effect.Effect<void, E>) =>
        inTurn(
          Effect.gen(function* () {
            yield* drop(type)
            yield* sql`
              insert into instance_logo (type, filename, width, height)
              values (${logoTypeIds[type]}, ${filename}, ${width}, ${height})`
            yield* keepObjects(sql, [logoObject(filename)])
            yield* within
          })
        ) as Effect.Effect<void, E | DatabaseUnavailable>

      const removeLogo = <E>(type: LogoType, within: Effect.Effect<void, E>) =>
        inTurn(Effect.flatMap(drop(type), (dropped) => (dropped ? within : Effect.void))) as Effect.Effect<
          void,
          E | DatabaseUnavailable
        >

      return InstanceImageRows.of({
        all,
        intend: (filename) => withDatabaseErrors(Effect.asVoid(intendObjects(sql, [logoObject(filename)]))),
        abandon: (filename) => withDatabaseErrors(Effect.asVoid(abandonObjects(sql, [logoObject(filename)]))),
        setLogo,
        removeLogo,
        notify: withDatabaseErrors(Effect.asVoid(notify))
      })
    })
  )
}
