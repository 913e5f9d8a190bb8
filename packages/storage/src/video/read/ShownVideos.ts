import { labelled } from "@kinora/domain/enums/Labelled"
import { videoStateLabels } from "@kinora/domain/enums/VideoState"
import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import type { Video } from "@kinora/domain/wire/Video"
import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { pictureLinks, PictureTokens } from "./PictureLinks.ts"
import { makeReadModelRequests } from "./ReadModelRequests.ts"
import { countMembers, type ManagementRow, management, opened, type VideoCounts } from "./VideoJson.ts"
import { managementColumns } from "./VideoRows.ts"
import { makeVideoSummaries } from "./VideoTexts.ts"

/** A video on a page: its kept text, or null where that is to be made, and what joins it. */
export interface ShownVideo extends VideoCounts, Partial<ManagementRow> {
  readonly id: number
  readonly text: string | null
  /** UUID of a video that is not for everybody: its pictures open to who reads of it. */
  readonly restricted?: string | null
  /** State of a live that is not published now; null: it is, or the video is no live. */
  readonly liveState?: number | null
  /** Seconds into the video where the reader stopped; null: it was never watched. */
  readonly currentTime?: number | null
}

/** A row beside a total: `id` is null in the one row of a page without videos. */
export type MaybeShown = ShownVideo | { readonly id: null }

export const isShown = <Row extends { readonly id: number | null }>(row: Row): row is Row & ShownVideo =>
  row.id !== null

/** Number of viewers at the moment of the video `v`, here and elsewhere. */
const viewersColumn =
  "coalesce((select n.viewers + n.remote from video_viewers n where n.video_id = v.id), 0) as viewers"

/** Column `restricted` of `ShownVideo`, of the video `v`: what is listed has no need of a look at the blocks. */
const restrictedColumn = `case when v.listed then null
      when v.privacy > 2 or exists (select 1 from video_blacklist b where b.video_id = v.id) then v.uuid::text end as restricted`

/** Columns of `VideoCounts`, of the video `v`. */
export const countColumns = `v.views, ${viewersColumn}, v.likes, v.dislikes, v.comments, v.downloads`

/**
 * A join of what lists show of one video, as the columns of `ShownVideo` in `shown`. The planner looks each up by its
 * id, whatever it thinks of how many there are.
 *
 * @param id SQL of the video's id
 * @param managed whether the reader manages the video
 */
export const shownVideo = (id: string, managed = false): string => `cross join lateral (
    select v.id, (select w.summary from video_read_model w where w.video_id = v.id) as text, ${countColumns}, ${restrictedColumn},
      case when v.is_live and v.state <> 1 then v.state end as "liveState"${managed ? `, ${managementColumns}` : ""}
    from video v where v.id = ${id} offset 0
  ) shown`

const isRestricted = <Row extends ShownVideo>(row: Row): row is Row & { readonly restricted: string } =>
  row.restricted !== undefined && row.restricted !== null

const isManaged = (row: ShownVideo): row is ShownVideo & ManagementRow => row.state !== undefined

/** Without it, a live that waits or has ended would be taken for one that is on. */
const stateOfLive = ({ liveState }: ShownVideo): string =>
  liveState === undefined || liveState === null
    ? ""
    : `,"state":${JSON.stringify(labelled(liveState, videoStateLabels))}`

/** The members of `row` that are not in its text: counts, and what depends on the reader. */
const moreMembers = (row: ShownVideo): string => {
  const history =
    row.currentTime === undefined || row.currentTime === null ? "" : `,"userHistory":{"currentTime":${row.currentTime}}`
  const managed = isManaged(row) ? `,${opened(management(row)).slice(1)}` : stateOfLive(row)
  return countMembers(row) + history + managed
}

/**
 * Makes a function that answers JSON text of each row (contract: Video), in order. Texts that are not kept are made from
 * rows, and the videos are noted for who keeps texts. A video that is gone meanwhile has no text.
 *
 * @param scope where videos are noted
 */
export const makeShownVideos = Effect.fnUntraced(function* (sql: SqlClient, scope: Scope.Scope) {
  const asked = makeReadModelRequests(sql, scope)
  const tokens = yield* PictureTokens
  return Effect.fnUntraced(function* <Row extends ShownVideo>(
    rows: ReadonlyArray<Row>,
    /** More members, each after a comma. */
    more: (row: Row) => string = () => ""
  ): Effect.fn.Return<ReadonlyArray<Json<Video> | undefined>, SqlError> {
    const linked = rows.some(isRestricted) ? yield* pictureLinks(tokens) : undefined
    const close = (row: Row, text: string) => {
      const opened = linked !== undefined && isRestricted(row) ? linked(text, row.restricted) : text
      return jsonOf<Video>(`${opened}${moreMembers(row)}${more(row)}}`)
    }
    const missing = rows.filter(({ text }) => text === null).map(({ id }) => id)
    if (missing.length === 0) return rows.map((row) => close(row, row.text!))
    const made = yield* makeVideoSummaries(sql, missing)
    yield* asked(missing)
    return rows.map((row) => {
      const text = row.text ?? made.get(row.id)
      return text === undefined ? undefined : close(row, text)
    })
  })
})
