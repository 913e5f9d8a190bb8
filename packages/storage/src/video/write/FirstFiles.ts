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
  /** False: the video has them, and waits for its ladder, because its user wants that. */
  readonly publish: boolean
}

/** Gives a video its first files, and publishes it with them, in the transaction that creates it. */
export const useFirstFiles = Effect.fnUntraced(function* (sql: SqlClient, videoId: number, first: FirstFiles) {
  const video = (yield* lockVideo(sql, videoId))!
  yield* replaceRenditions(sql, video, first.renditions, 0)
  yield* setThumbnails(sql, videoId, first.thumbnails, 0)
  if (!first.publish) return
  yield* sql`update video set state = 1, published_at = now(), updated_at = now() where id = ${videoId}`
})
