import { NodeServices } from "@effect/platform-node"
import { Media } from "@kinora/media/Media"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ProcessingSettings } from "../../../src/video/process/ProcessingSettings.ts"
import { SyncWakeups } from "../../../src/video/sync/SyncWakeups.ts"
import { syncWorker } from "../../../src/video/sync/SyncServices.ts"
import { SyncWorker } from "../../../src/video/sync/SyncWorker.ts"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { crewNode } from "../../people/channel/Crew.ts"
import { certificateFile } from "../ytdlp/Elsewhere.ts"

/** What an operator switches on, with few of everything. */
export const switchedOn = (max: number): Overrides => ({
  import: {
    videos: { http: { enabled: true } },
    video_channel_synchronization: {
      enabled: true,
      max_per_user: max,
      videos_limit_per_synchronization: 3,
      full_sync_videos_limit: 5
    }
  }
})

const settings = Layer.effect(
  MediaSettings,
  Effect.map(certificateFile, (certificates) => ({
    ...defaultMediaSettings,
    certificates,
    externalTimeout: Duration.seconds(90)
  }))
)

const media = Media.layer.pipe(Layer.provide(settings), Layer.provideMerge(NodeServices.layer), Layer.orDie)

/** A node with people, yt-dlp and a worker that nobody has started. */
export const syncNode = (overrides: Overrides = switchedOn(10)) =>
  syncWorker.pipe(
    Layer.provideMerge(Layer.merge(ProcessingSettings.layer, media)),
    Layer.provideMerge(crewNode(overrides))
  )

/** Asks again until the answer is there; half a minute at most. */
export const eventually = <A, E, R>(look: Effect.Effect<A | undefined, E, R>) =>
  Effect.flatMap(look, (found) => (found === undefined ? Effect.fail("not yet" as const) : Effect.succeed(found))).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 300 })
  )

/** Runs a worker until nothing is due. */
export const lookAround = Effect.scoped(
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const worker = yield* SyncWorker
    yield* (yield* SyncWakeups).notify
    yield* Effect.forkScoped(worker.run)
    yield* eventually(
      Effect.map(
        sql`select 1 from job where type = 'video-channel-import' and (state = 'active'
          or (state in ('waiting', 'delayed') and run_at <= now()))`,
        (due) => (due.length === 0 ? true : undefined)
      )
    )
  })
)

/** An hour goes by for a synchronisation. */
export const anHourLater = Effect.fnUntraced(function* (syncId: number) {
  const sql = yield* SqlClient
  yield* sql`update job set run_at = now() where dedupe_key = ${`video-channel-sync:${syncId}`} and state = 'delayed'`
})

export const channelId = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    select c.id from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = ${name}::citext`
  return rows[0]!.id
})

/** Addresses that were imported, oldest import first, with the privacy of their videos. */
export const imported = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* sql<{ id: number; url: string; state: number; sync: number | null; privacy: number | null }>`
    select i.id, i.target_url as url, i.state::integer as state, i.channel_sync_id as sync, v.privacy::integer as privacy
    from video_import i left join video v on v.id = i.video_id order by i.id`
})
