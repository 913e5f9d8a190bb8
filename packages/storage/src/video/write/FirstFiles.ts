import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { RenditionSet } from "./NewRenditions.ts"
import type { NewThumbnail } from "./NewVideo.ts"
import { replaceRenditions } from "./RenditionRows.ts"
import { setThumbnails } from "./VideoDetails.ts"
import { lockVideo } from "./VideoFiles.ts"

/** What a new video can be played and shown with at once. The objects are stored, and still on the removal queue. */
export interface FirstFiles {
  readonly renditions: RenditionSet
  readonly thumbnails: ReadonlyArray<NewThumbnail>
}

/** Publishes a video with its first files, in the transaction that creates it. */
export const publishFirstFiles = Effect.fnUntraced(function* (sql: SqlClient, videoId: number, first: FirstFiles) {
  const video = (yield* lockVideo(sql, videoId))!
  yield* replaceRenditions(sql, video, first.renditions, 0)
  yield* setThumbnails(sql, videoId, first.thumbnails, 0)
  yield* sql`update video set state = 1, published_at = now(), updated_at = now() where id = ${videoId}`
})
