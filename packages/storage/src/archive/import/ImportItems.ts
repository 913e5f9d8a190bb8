import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { hash } from "node:crypto"
import { isActorNamed } from "../../people/actor/ActorNamed.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import type { UserImportTask } from "./UserImportWork.ts"

/** What an earlier import created for an entry of an archive. */
export interface MadeItem {
  readonly importId: number
  readonly targetId: number | null
}

export interface KnownVideo {
  readonly id: number
  readonly uuid: string
}

/** A video a user watched elsewhere; times in ISO 8601. */
export interface WatchedVideo {
  readonly videoId: number
  readonly seconds: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A digest fits into the index, however long the URL is. */
const digest = (source: string): string => hash("sha256", source, "hex")

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const made = Effect.fn("ImportItems.made")(function* (userId: number, section: string, source: string) {
    const rows = yield* sql<MadeItem>`
      select import_id as "importId", target_id as "targetId" from user_import_item
      where user_id = ${userId} and section = ${section} and source = ${digest(source)}
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  const remember = Effect.fn("ImportItems.remember")(function* (
    { importId, userId }: UserImportTask,
    section: string,
    source: string,
    targetId: number | null
  ) {
    yield* sql`
      insert into user_import_item (user_id, import_id, section, source, target_id)
      values (${userId}, ${importId}, ${section}, ${digest(source)}, ${targetId})
      on conflict (user_id, section, source) do update
        set target_id = excluded.target_id, import_id = excluded.import_id
    `
  }, withDatabaseErrors)

  const video = Effect.fn("ImportItems.video")(function* (userId: number, url: string) {
    const rows = yield* sql<KnownVideo>`
      select v.id, v.uuid from video v where v.id in (
        select i.target_id from user_import_item i
        where i.user_id = ${userId} and i.section = 'videos' and i.source = ${digest(url)}
        union all select known.id from video known where known.url = ${url}
      ) order by v.url <> ${url} limit 1
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  const ownVideo = Effect.fn("ImportItems.ownVideo")(function* (accountId: number, uuids: ReadonlyArray<string>) {
    const rows = yield* sql<KnownVideo>`
      select id, uuid from video where account_id = ${accountId} and uuid = any(${uuids}::uuid[]) limit 1
    `
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  const follows = Effect.fn("ImportItems.follows")(function* (actorId: number, handle: ActorHandle) {
    const rows = yield* sql`
      select 1 from actor a join actor_follow f on f.target_actor_id = a.id and f.actor_id = ${actorId}
      where ${isActorNamed(sql, handle)}
    `
    return rows.length > 0
  }, withDatabaseErrors)

  const watched = Effect.fn("ImportItems.watched")(function* (
    userId: number,
    { createdAt, seconds, updatedAt, videoId }: WatchedVideo
  ) {
    const rows = yield* sql`
      insert into user_video_history (user_id, video_id, current_time_seconds, created_at, updated_at)
      select ${userId}::integer, v.id, ${seconds}::integer, least(${createdAt}::text::timestamptz, now()),
        least(${updatedAt}::text::timestamptz, now())
      from video v where v.id = ${videoId} for key share
      on conflict do nothing returning 1 as added
    `
    return rows.length > 0
  }, withDatabaseErrors)

  const blockAccount = Effect.fn("ImportItems.blockAccount")(function* (accountId: number, handle: ActorHandle) {
    const known = yield* sql<{ id: number }>`
      select c.id from actor a join account c on c.actor_id = a.id
      where ${isActorNamed(sql, handle)} and c.id <> ${accountId}
    `
    const [target] = known
    if (target === undefined) return "unknown" as const
    const rows = yield* sql`
      insert into account_block (account_id, target_account_id) values (${accountId}, ${target.id})
      on conflict do nothing returning 1 as added
    `
    return rows.length > 0 ? ("added" as const) : ("there" as const)
  }, withDatabaseErrors)

  const blockServer = Effect.fn("ImportItems.blockServer")(
    function* (accountId: number, host: string) {
      yield* sql`insert into server (host) values (${host}) on conflict do nothing`
      const rows = yield* sql`
        insert into server_block (account_id, server_id) select ${accountId}::integer, id from server where host = ${host}
        on conflict do nothing returning 1 as added
      `
      return rows.length > 0 ? ("added" as const) : ("there" as const)
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const watchLater = Effect.fn("ImportItems.watchLater")(function* (accountId: number) {
    const rows = yield* sql<{ id: number }>`
      select id from video_playlist where owner_account_id = ${accountId} and type = 2
    `
    return rows[0]?.id
  }, withDatabaseErrors)

  const inPlaylist = Effect.fn("ImportItems.inPlaylist")(function* (playlistId: number, videoId: number) {
    const rows = yield* sql`
      select 1 from video_playlist_element where playlist_id = ${playlistId} and video_id = ${videoId} limit 1
    `
    return rows.length > 0
  }, withDatabaseErrors)

  return ImportItems.of({
    made,
    remember,
    video,
    ownVideo,
    follows,
    watched,
    blockAccount,
    blockServer,
    watchLater,
    inPlaylist
  })
})

/** Existing data that imports need, and writes that nothing else does. */
export class ImportItems extends Context.Service<
  ImportItems,
  {
    /** What was created for the entry with this name, by this import or an earlier one. */
    readonly made: (
      userId: number,
      section: string,
      source: string
    ) => Effect.Effect<Option.Option<MadeItem>, DatabaseUnavailable>
    /** Records the result. Takes part in the caller's transaction. */
    readonly remember: (
      task: UserImportTask,
      section: string,
      source: string,
      targetId: number | null
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** The video for a URL of an archive: one that was imported for the user, or one known here by that URL. */
    readonly video: (userId: number, url: string) => Effect.Effect<Option.Option<KnownVideo>, DatabaseUnavailable>
    /** A video of the account with one of these UUIDs. */
    readonly ownVideo: (
      accountId: number,
      uuids: ReadonlyArray<string>
    ) => Effect.Effect<Option.Option<KnownVideo>, DatabaseUnavailable>
    readonly follows: (actorId: number, handle: ActorHandle) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Adds a video to the watch history. False if it is already there. */
    readonly watched: (userId: number, watched: WatchedVideo) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly blockAccount: (
      accountId: number,
      handle: ActorHandle
    ) => Effect.Effect<"added" | "there" | "unknown", DatabaseUnavailable>
    readonly blockServer: (accountId: number, host: string) => Effect.Effect<"added" | "there", DatabaseUnavailable>
    /** Row id of the account's "Watch later" playlist. */
    readonly watchLater: (accountId: number) => Effect.Effect<number | undefined, DatabaseUnavailable>
    readonly inPlaylist: (playlistId: number, videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/storage/userimports/ImportItems") {
  static readonly layer = Layer.effect(ImportItems, make)
}
