import { Data, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { JobBoard } from "../../platform/jobs/JobBoard.ts"

/** Where a video is fetched from. */
export type ImportSource =
  | { readonly _tag: "Url"; readonly url: string }
  | { readonly _tag: "Magnet"; readonly uri: string }
  | { readonly _tag: "Torrent"; readonly file: Uint8Array; readonly name: string }

/** User choices for fields that are otherwise taken from the source. */
export interface ImportChoices {
  /** The title until the real one is known. Null if the user gave one. */
  readonly provisionalName: string | null
  readonly nsfwGiven: boolean
}

export interface NewImport {
  /** The user who started it. */
  readonly userId: number
  readonly source: ImportSource
  readonly channelSyncId: number | null
  /** Refuses a URL that was already imported into the channel. */
  readonly once: boolean
  readonly choices: ImportChoices
}

/** The URL was already imported into the channel. */
export class AlreadyImported extends Data.TaggedError("AlreadyImported")<{ readonly url: string }> {}

/** Job type, as the contract names it (JobType). */
export const importType = "video-import"

export const importKey = (importId: number): string => `video-import:${importId}`

/** Imports that a user waits for come before those of synchronisations and whole channels, which may be a thousand. */
const priorities = { asked: 50, followed: 60 }

/** How many workers may crash on one import before it fails. */
const maxCrashes = 3

const once = 7_710_017

/** The job that fetches the video of an import. */
export const enqueueImport = (
  jobs: JobBoard["Service"],
  importId: number,
  videoId: number,
  urgency: keyof typeof priorities = "asked"
) =>
  jobs.enqueue({
    type: importType,
    payload: { importId },
    videoId,
    priority: priorities[urgency],
    maxAttempts: maxCrashes,
    dedupeKey: importKey(importId)
  })

/**
 * Writes an import and its job in the caller's transaction, which has locked the user and the channel. Returns its id.
 */
export const addImport = Effect.fnUntraced(function* (
  sql: SqlClient,
  jobs: JobBoard["Service"],
  video: { readonly videoId: number; readonly channelId: number },
  wanted: NewImport
) {
  const { source } = wanted
  const url = source._tag === "Url" ? source.url : null
  if (wanted.once && url !== null) {
    yield* sql`select pg_advisory_xact_lock(${once}, ${video.channelId})`
    const known = yield* sql`
      select 1 from video_import
      where channel_id = ${video.channelId} and md5(target_url) = md5(${url}) and target_url = ${url} limit 1
    `
    if (known.length > 0) return yield* new AlreadyImported({ url })
  }
  const [row] = yield* sql<{ id: number }>`
    insert into video_import (
      user_id, video_id, channel_id, channel_sync_id, target_url, magnet_uri, torrent_name, torrent, payload
    ) values (
      ${wanted.userId}, ${video.videoId}, ${video.channelId}, ${wanted.channelSyncId}, ${url},
      ${source._tag === "Magnet" ? source.uri : null}, ${source._tag === "Torrent" ? source.name : null},
      decode(${source._tag === "Torrent" ? Buffer.from(source.file).toString("base64") : null}::text, 'base64'),
      ${JSON.stringify(wanted.choices)}::text::jsonb
    ) returning id
  `
  yield* enqueueImport(jobs, row!.id, video.videoId, wanted.once ? "followed" : "asked")
  return row!.id
})
