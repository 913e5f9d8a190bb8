import { ChannelActivityAction, ChannelActivityTarget } from "@kinora/domain/enums/ChannelActivity"
import { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Consents, setConsents } from "../actor/Consents.ts"
import { insertLocalActor, type NewActor } from "../actor/NewActor.ts"
import { recordActivity } from "../collaborator/ChannelActivities.ts"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { ActorNameTaken } from "../user/NewUser.ts"
import { removePicturesOf, removeVideosOf } from "../account/OwnedVideos.ts"

/** A channel to write. */
export interface NewChannel {
  readonly accountId: number
  readonly actor: NewActor
  readonly displayName: string
  readonly description: string | null
  readonly support: string | null
  readonly publicEmail: string | null
}

/** Changes of a channel. Null removes a text, undefined keeps it. */
export interface ChannelChanges extends Consents {
  readonly displayName?: string | undefined
  readonly description?: string | null | undefined
  readonly support?: string | null | undefined
  readonly publicEmail?: string | null | undefined
  /** Sets the support text of every video of the channel to the channel's. */
  readonly bulkVideosSupportUpdate?: boolean | undefined
}

/** The account has reached the limit of channels. */
export class TooManyChannels extends Data.TaggedError("TooManyChannels")<{ readonly max: number }> {}

/** `last`: an account keeps at least one channel. */
export type ChannelRemoval = "removed" | "missing" | "last"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  /**
   * The number of an account's channels, locked until the transaction ends. Undefined: no such account. Uploads to its
   * channels wait.
   */
  const lockAccount = Effect.fnUntraced(function* (accountId: number) {
    const rows = yield* sql`select id from account where id = ${accountId} for no key update`
    if (rows.length === 0) return undefined
    const counted = yield* sql<{ channels: number }>`
      select count(*) as channels from video_channel where account_id = ${accountId}
    `
    return counted[0]!.channels
  })

  const record = (channelId: number, accountId: number, action: ChannelActivityAction) =>
    recordActivity(sql, { channelId, accountId, action, targetType: ChannelActivityTarget.channel, target: {} })

  const write = Effect.fnUntraced(function* (channel: NewChannel, max: number) {
    const { accountId } = channel
    const channels = yield* lockAccount(accountId)
    if (channels === undefined) return yield* new AccountNotFound()
    if (channels >= max) return yield* new TooManyChannels({ max })
    const actorId = yield* insertLocalActor(sql, channel.actor)
    const rows = yield* sql<{ id: number }>`
        insert into video_channel (actor_id, account_id, display_name, description, support, public_email)
        values (${actorId}, ${accountId}, ${channel.displayName}, ${channel.description}, ${channel.support},
          ${channel.publicEmail})
        returning id
      `
    const { id } = rows[0]!
    yield* record(id, accountId, ChannelActivityAction.create)
    return id
  }, sql.withTransaction)

  const create = Effect.fn("ChannelWrites.create")(function* (channel: NewChannel, max: number) {
    return yield* write(channel, max).pipe(
      Effect.catchTag("SqlError", (error): Effect.Effect<never, SqlError | ActorNameTaken> => {
        const isTaken = error.reason._tag === "UniqueViolation" && error.reason.constraint.startsWith("actor_")
        return Effect.fail(isTaken ? new ActorNameTaken({ name: channel.actor.preferredUsername }) : error)
      })
    )
  }, withDatabaseErrors)

  const update = Effect.fn("ChannelWrites.update")(
    function* (channelId: number, accountId: number, changes: ChannelChanges) {
      const { bulkVideosSupportUpdate = false, description, displayName, publicEmail, support, ...consents } = changes
      const values: Record<string, string | null> = {
        ...(displayName === undefined ? {} : { display_name: displayName }),
        ...(description === undefined ? {} : { description }),
        ...(support === undefined ? {} : { support }),
        ...(publicEmail === undefined ? {} : { public_email: publicEmail })
      }
      const isEmpty = Object.keys(values).length === 0
      const set = isEmpty ? sql.literal("") : sql`${sql.update(values)},`
      const rows = yield* sql<{ actorId: number }>`
        update video_channel set ${set} updated_at = now() where id = ${channelId} returning actor_id as "actorId"
      `
      if (rows.length === 0) return false
      yield* setConsents(sql, rows[0]!.actorId, consents)
      if (bulkVideosSupportUpdate) {
        yield* sql`select 1 from video where channel_id = ${channelId} order by id for no key update`
        yield* sql`
          update video v set support = c.support, updated_at = now() from video_channel c
          where c.id = ${channelId} and v.channel_id = c.id and v.support is distinct from c.support
        `
      }
      yield* record(channelId, accountId, ChannelActivityAction.update)
      return true
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  // Locks are taken in the same order as when a user is removed: account, channel, videos. A channel that was given
  // away meanwhile counts as missing: only its new owner may remove it.
  const remove = Effect.fn("ChannelWrites.remove")(
    function* (channelId: number) {
      const owners = yield* sql<{ accountId: number }>`
        select account_id as "accountId" from video_channel where id = ${channelId}
      `
      if (owners.length === 0) return "missing"
      const { accountId } = owners[0]!
      const channels = yield* lockAccount(accountId)
      const kept = yield* sql`
        select id from video_channel where id = ${channelId} and account_id = ${accountId} for update
      `
      if (kept.length === 0) return "missing"
      if (channels === 1) return "last"
      // Once, before its videos are deleted: otherwise other instances would get an activity for each video.
      yield* sql`select mark_channel_departure(${channelId})`
      yield* removeVideosOf(sql, { channelId })
      yield* removePicturesOf(sql, { channelId })
      yield* sql`delete from video_channel where id = ${channelId}`
      return "removed"
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return ChannelWrites.of({ create, update, remove })
})

/** Creates, changes and removes local channels, each in one transaction with all consequences. */
export class ChannelWrites extends Context.Service<
  ChannelWrites,
  {
    /** Writes a channel with its actor and returns its row id. `max`: channels an account may have. */
    readonly create: (
      channel: NewChannel,
      max: number
    ) => Effect.Effect<number, ActorNameTaken | TooManyChannels | AccountNotFound | DatabaseUnavailable>
    /** Changed by this account. False: there is no such channel. */
    readonly update: (
      channelId: number,
      accountId: number,
      changes: ChannelChanges
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Removes a channel with all its videos. Their files and its images are queued for removal. */
    readonly remove: (channelId: number) => Effect.Effect<ChannelRemoval, DatabaseUnavailable>
  }
>()("@kinora/storage/channels/ChannelWrites") {
  static readonly layer = Layer.effect(ChannelWrites, make)
}
