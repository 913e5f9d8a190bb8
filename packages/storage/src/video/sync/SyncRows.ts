import { ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoChannelSync } from "@kinora/domain/wire/VideoChannelAnswers"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { recordActivity } from "../../people/collaborator/ChannelActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { ImportRows } from "../import/ImportRows.ts"
import { JobBoard } from "../../platform/jobs/JobBoard.ts"
import { enqueueLook, syncJobType, syncKey, type WholeChannel } from "./SyncJobs.ts"
import { syncColumns, type SyncRow, syncTexts } from "./SyncJson.ts"

/** The parts of a synchronisation that decisions need. */
export interface SyncFacts {
  readonly id: number
  readonly channelId: number
  readonly externalChannelUrl: string
  readonly channel: { readonly accountId: number; readonly collaborators: ReadonlyArray<number> }
}

export interface NewSync {
  readonly channelId: number
  readonly externalChannelUrl: string
  readonly videoPrivacy: number
  /** The account that creates it. */
  readonly accountId: number
}

/** The channel or its account was deleted. */
export class SyncChannelGone extends Data.TaggedError("SyncChannelGone")<{ readonly channelId: number }> {}

/** The owner of the channel has reached the limit of synchronisations. */
export class TooManySyncs extends Data.TaggedError("TooManySyncs")<{ readonly max: number }> {}

/** The user has reached the limit of pending requests for whole channels, so that others get their turn. */
export class TooManyWholeChannels extends Data.TaggedError("TooManyWholeChannels")<{ readonly max: number }> {}

const maxWholeChannels = 10

/** The channel already synchronises with this URL. */
export class SyncExists extends Data.TaggedError("SyncExists")<{ readonly url: string }> {}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const jobs = yield* JobBoard
  const imports = yield* ImportRows

  const record = (sync: SyncFacts, accountId: number, action: ChannelActivityAction) =>
    recordActivity(sql, {
      channelId: sync.channelId,
      accountId,
      action,
      targetType: ChannelActivityTarget.channelSync,
      target: { channelSync: { id: sync.id, externalChannelUrl: sync.externalChannelUrl } }
    })

  const find = Effect.fn("SyncRows.find")(function* (syncId: number) {
    const rows = yield* sql<SyncFacts>`
      select s.id, s.channel_id as "channelId", s.external_channel_url as "externalChannelUrl",
        json_build_object('accountId', c.account_id, 'collaborators', coalesce((
          select json_agg(k.account_id) from video_channel_collaborator k where k.channel_id = c.id and k.state = 2
        ), '[]')) as channel
      from video_channel_sync s join video_channel c on c.id = s.channel_id where s.id = ${syncId}
    `
    return Option.fromNullishOr(rows[0])
  }, withDatabaseErrors)

  const create = Effect.fn("SyncRows.create")(
    function* (wanted: NewSync, max: number) {
      const { channelId, externalChannelUrl } = wanted
      // The owner is locked, so that concurrent requests cannot exceed the limit.
      const owners = yield* sql<{ id: number }>`
        select a.id from account a where a.id = (select account_id from video_channel where id = ${channelId})
        for no key update
      `
      const held = yield* sql<{ accountId: number }>`
        select account_id as "accountId" from video_channel where id = ${channelId} for key share
      `
      const accountId = owners[0]?.id
      if (accountId === undefined || held[0]?.accountId !== accountId) return yield* new SyncChannelGone({ channelId })
      const [counted] = yield* sql<{ syncs: number; same: number }>`
        select count(*)::integer as syncs,
          (count(*) filter (
            where s.channel_id = ${channelId} and s.external_channel_url = ${externalChannelUrl}
          ))::integer as same
        from video_channel_sync s join video_channel c on c.id = s.channel_id where c.account_id = ${accountId}
      `
      if (counted!.same > 0) return yield* new SyncExists({ url: externalChannelUrl })
      if (counted!.syncs >= max) return yield* new TooManySyncs({ max })
      const [row] = yield* sql<{ id: number }>`
        insert into video_channel_sync (channel_id, external_channel_url, video_privacy)
        values (${channelId}, ${externalChannelUrl}, ${wanted.videoPrivacy}) returning id
      `
      const id = row!.id
      yield* record(
        { id, channelId, externalChannelUrl, channel: { accountId, collaborators: [] } },
        wanted.accountId,
        ChannelActivityAction.create
      )
      yield* enqueueLook(jobs, id, 0)
      const rows = yield* sql<SyncRow>`
        select ${syncColumns(sql)} from video_channel_sync s join video_channel c on c.id = s.channel_id where s.id = ${id}`
      const [made] = yield* syncTexts(sql, rows)
      return made!
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const cancelJob = (key: string) => sql`
    update job set state = 'cancelled', finished_at = now(), updated_at = now(),
      lease_owner = null, lease_token = null, lease_until = null
    where dedupe_key = ${key} and state not in ('completed', 'failed', 'cancelled')
  `

  const remove = Effect.fn("SyncRows.remove")(
    function* (sync: SyncFacts, accountId: number) {
      // Locks the channel first, in the usual lock order.
      yield* record(sync, accountId, ChannelActivityAction.delete)
      const held = yield* sql`select 1 from video_channel_sync where id = ${sync.id} for update`
      if (held.length === 0) return false
      yield* cancelJob(syncKey(sync.id))
      const waiting = yield* sql<{ id: number }>`
        select id from video_import where channel_sync_id = ${sync.id} and state = 1 order by video_id, id
      `
      for (const { id } of waiting) yield* imports.cancel(id)
      yield* sql`delete from video_channel_sync where id = ${sync.id}`
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const wantEverything = Effect.fn("SyncRows.wantEverything")(
    function* (syncId: number) {
      const rows = yield* sql`
        update video_channel_sync set full_wanted_at = clock_timestamp(), updated_at = now() where id = ${syncId}
        returning id
      `
      if (rows.length === 0) return false
      yield* enqueueLook(jobs, syncId, 0)
      yield* sql`
        update job set state = 'waiting', run_at = now(), updated_at = now()
        where dedupe_key = ${syncKey(syncId)} and state = 'delayed'
      `
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  const fetchEverything = Effect.fn("SyncRows.fetchEverything")(
    function* (whole: WholeChannel) {
      const digest = createHash("sha256").update(whole.externalChannelUrl).digest("hex")
      const key = `video-channel-import:${whole.channelId}:${digest}`
      // Locked, so that concurrent requests cannot exceed the limit.
      yield* sql`select 1 from app_user where id = ${whole.userId} for no key update`
      const waiting = yield* sql`
        select 1 from job where type = ${syncJobType} and state in ('waiting', 'delayed', 'active')
          and (payload ->> 'userId')::integer = ${whole.userId} and dedupe_key <> ${key} limit ${maxWholeChannels}
      `
      if (waiting.length >= maxWholeChannels) return yield* new TooManyWholeChannels({ max: maxWholeChannels })
      yield* jobs.enqueue({ type: syncJobType, payload: whole, dedupeKey: key })
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return SyncRows.of({ find, create, remove, wantEverything, fetchEverything })
})

/** Changes of synchronisations by those who work on the channel. */
export class SyncRows extends Context.Service<
  SyncRows,
  {
    readonly find: (syncId: number) => Effect.Effect<Option.Option<SyncFacts>, DatabaseUnavailable>
    /** Creates it with its first check. Returns it as JSON text (contract: VideoChannelSync). */
    readonly create: (
      wanted: NewSync,
      max: number
    ) => Effect.Effect<Json<VideoChannelSync>, SyncChannelGone | TooManySyncs | SyncExists | DatabaseUnavailable>
    /**
     * Removes it with its checks and its waiting imports. Imports in progress and imported videos stay. False: somebody
     * else removed it.
     */
    readonly remove: (sync: SyncFacts, accountId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * The next check runs now and imports all videos. If one is running, it is followed by another. False: it was
     * removed.
     */
    readonly wantEverything: (syncId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Imports all videos of an external channel, once. */
    readonly fetchEverything: (whole: WholeChannel) => Effect.Effect<void, TooManyWholeChannels | DatabaseUnavailable>
  }
>()("@kinora/storage/syncs/SyncRows") {
  static readonly layer = Layer.effect(SyncRows, make)
}
