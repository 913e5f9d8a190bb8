import { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** What is noted of a block. `null` notes nothing. */
export interface BlockNotes {
  readonly reason: string | null
  readonly internalNote: string | null
}

export interface NewBlock extends BlockNotes {
  /** Takes the video from other instances. */
  readonly unfederate: boolean
}

/** A block with the name of its video, as the audit log keeps it. */
export interface BlockValues extends BlockNotes {
  readonly video: string
  readonly type: number
  readonly unfederated: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const add = Effect.fn("VideoBlockRows.add")(function* (videoId: number, block: NewBlock) {
    const rows = yield* sql`
      insert into video_blacklist (video_id, type, reason, internal_note, unfederated)
      select id, ${VideoBlockType.manual}, ${block.reason}, ${block.internalNote}, ${block.unfederate}
      from video where id = ${videoId}
      on conflict (video_id) do nothing returning 1`
    return rows.length > 0
  }, withDatabaseErrors)

  const update = Effect.fn("VideoBlockRows.update")(function* (videoId: number, notes: Partial<BlockNotes>) {
    const { internalNote, reason } = notes
    const rows = yield* sql`
      update video_blacklist set updated_at = now(),
        reason = case when ${reason === undefined} then reason else ${reason ?? null} end,
        internal_note = case when ${internalNote === undefined} then internal_note else ${internalNote ?? null} end
      where video_id = ${videoId} returning 1`
    return rows.length > 0
  }, withDatabaseErrors)

  const remove = Effect.fn("VideoBlockRows.remove")(function* (videoId: number) {
    const rows = yield* sql`delete from video_blacklist where video_id = ${videoId} returning 1`
    return rows.length > 0
  }, withDatabaseErrors)

  const values = Effect.fn("VideoBlockRows.values")(function* (videoId: number) {
    const rows = yield* sql<BlockValues & Readonly<Record<string, unknown>>>`
      select v.name as video, b.type, b.reason, b.internal_note as "internalNote", b.unfederated
      from video_blacklist b join video v on v.id = b.video_id where b.video_id = ${videoId}`
    return Option.fromUndefinedOr(rows[0])
  }, withDatabaseErrors)

  return VideoBlockRows.of({ add, update, remove, values })
})

/**
 * Videos taken from view. What follows of a block (lists, other instances, notifications) follows from the row, by
 * triggers in the same transaction.
 */
export class VideoBlockRows extends Context.Service<
  VideoBlockRows,
  {
    /** False: it is blocked already, or gone. */
    readonly add: (videoId: number, block: NewBlock) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Replaces the notes that are given. False: the video is not blocked. */
    readonly update: (videoId: number, notes: Partial<BlockNotes>) => Effect.Effect<boolean, DatabaseUnavailable>
    /** False: it was not blocked. */
    readonly remove: (videoId: number) => Effect.Effect<boolean, DatabaseUnavailable>
    readonly values: (
      videoId: number
    ) => Effect.Effect<Option.Option<BlockValues & Readonly<Record<string, unknown>>>, DatabaseUnavailable>
  }
>()("@kinora/storage/video/block/VideoBlockRows") {
  static readonly layer = Layer.effect(VideoBlockRows, make)
}
