import { labelled } from "@kinora/domain/enums/Labelled"
import { type OwnershipState, ownershipStateLabels } from "@kinora/domain/enums/OwnershipState"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { ChangeOwnership } from "@kinora/domain/wire/ChangeOwnership"
import { type Json, toJson } from "@kinora/domain/wire/Json"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type ActorRow, actorSummary } from "../../people/actor/ActorJson.ts"
import { accountOf, actorRows } from "../../people/actor/ActorTexts.ts"
import { thumbnail, type ThumbnailRow } from "../read/VideoJson.ts"
import { thumbnailsColumn } from "../read/VideoRows.ts"

/** A request as its row has it. The thing is the video where `video` is there, else the channel. */
export interface OwnershipRow {
  readonly id: number
  readonly state: OwnershipState
  readonly createdAt: string
  readonly initiatorActorId: number
  readonly nextOwnerActorId: number
  /** Of the channel, or of that in which the video is. */
  readonly channelActorId: number
  readonly video: {
    readonly id: number
    readonly origin: string
    readonly uuid: string
    readonly name: string
    readonly isLive: boolean
    readonly nsfw: boolean
    readonly publishedAt: string
    readonly thumbnails: ReadonlyArray<ThumbnailRow>
  } | null
}

/** Columns of `OwnershipRow`, of a row `r` of `ownership_change`. */
export const ownershipColumns = `r.id, r.state, wire_time(r.created_at) as "createdAt",
  (select actor_id from account where id = r.initiator_account_id) as "initiatorActorId",
  (select actor_id from account where id = r.next_owner_account_id) as "nextOwnerActorId",
  (select h.actor_id from video_channel h
    where h.id = coalesce(r.channel_id, (select channel_id from video where id = r.video_id))) as "channelActorId",
  (select row_to_json(x) from (
    select v.id, wire_origin() as origin, v.uuid, v.name, v.is_live as "isLive", v.nsfw,
      wire_time(v.published_at) as "publishedAt", ${thumbnailsColumn}
    from video v where v.id = r.video_id
  ) x) as video`

const statuses: Readonly<Record<OwnershipState, ChangeOwnership["status"]>> = {
  1: "WAITING",
  2: "REFUSED",
  3: "ACCEPTED"
}

const thingOf = ({ video }: OwnershipRow, channel: ActorRow): Pick<ChangeOwnership, "video" | "videoChannel"> => {
  if (video === null) return { videoChannel: actorSummary(channel) }
  const { id, isLive, name, nsfw, origin, publishedAt, thumbnails, uuid } = video
  return {
    video: {
      id,
      uuid,
      shortUUID: toShortUuid(uuid),
      name,
      isLive,
      nsfw,
      publishedAt,
      thumbnails: thumbnails.map((one) => thumbnail(origin, one)),
      channel: actorSummary(channel)
    }
  }
}

/** JSON text of each row (contract: ChangeOwnership); undefined where somebody or the thing is gone meanwhile. */
export const ownershipTexts = (sql: SqlClient, rows: ReadonlyArray<OwnershipRow>) =>
  Effect.map(
    actorRows(sql, [
      ...new Set(rows.flatMap((row) => [row.initiatorActorId, row.nextOwnerActorId, row.channelActorId]))
    ]),
    (actors) =>
      rows.map((row): Json<ChangeOwnership> | undefined => {
        const initiatorAccount = accountOf(actors, row.initiatorActorId)
        const nextOwnerAccount = accountOf(actors, row.nextOwnerActorId)
        const channel = actors.get(row.channelActorId)
        if (initiatorAccount === undefined || nextOwnerAccount === undefined || channel === undefined) return undefined
        return toJson<ChangeOwnership>({
          id: row.id,
          state: labelled(row.state, ownershipStateLabels),
          status: statuses[row.state],
          initiatorAccount,
          nextOwnerAccount,
          createdAt: row.createdAt,
          ...thingOf(row, channel)
        })
      })
  )
