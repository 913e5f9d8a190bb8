import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { KinoraConfig } from "../../src/platform/config/Config.ts"
import { storyboardType } from "@kinora/storage/video/work/VideoWork"
import { publishType, transcodingType } from "../../src/video/process/ProcessingJobs.ts"
import { PublishVideo } from "../../src/video/process/PublishVideo.ts"
import { WorkerPool } from "../../src/video/process/WorkerPool.ts"
import { RemoteLadder } from "../../src/runner/RemoteLadder.ts"
import { RemoteStoryboard } from "../../src/runner/RemoteStoryboard.ts"
import { bearer, login, send } from "../instance/about/Client.ts"
import { rootPassword } from "../instance/about/TestNode.ts"
import { plainClip } from "../video/upload/Clips.ts"
import { offers, resultFile } from "./Encoder.ts"
import { post } from "./Runners.ts"

/** The access token of the administrator. */
export const root = Effect.map(login("root", rootPassword), (it) => it.access_token)

/** Registers a runner; gives its token. */
export const newRunner = Effect.fnUntraced(function* (name: string) {
  const token = yield* root
  const path = "/api/v1/runners/registration-tokens"
  yield* send(`${path}/generate`, { method: "POST", ...bearer(token) })
  const { registrationToken } = (yield* send(path, bearer(token))).json.data[0]
  const { json } = yield* post("/register", { name, registrationToken })
  return json.runnerToken as string
})

interface ListedJob {
  readonly uuid: string
  readonly state: { readonly id: number; readonly label: string }
  readonly failures: number
  readonly error: string | null
}

/** Runner jobs as administrators see them. */
export const jobs = Effect.map(
  Effect.flatMap(root, (token) => send("/api/v1/runners/jobs?count=100&sort=createdAt", bearer(token))),
  ({ json }) => json.data as ReadonlyArray<ListedJob>
)

/** Folders of results, finished and arriving. */
export const resultsLeft = Effect.flatMap(KinoraConfig, ({ storage }) =>
  Effect.promise(() => readdir(`${storage.tmp_persistent}/runner-results`).catch(() => []))
)

/** Lets workers go on until the condition holds. */
export const workUntil = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    const pool = yield* WorkerPool
    const publish = yield* PublishVideo
    const remote = yield* RemoteLadder
    const sheets = yield* RemoteStoryboard
    yield* Effect.raceAll([
      pool.listen,
      pool.worker([publishType], publish.run),
      pool.worker([transcodingType], remote.run),
      pool.worker([storyboardType], sheets.run),
      Effect.repeat(condition, {
        until: (met: boolean) => met,
        schedule: Schedule.max([Schedule.spaced("50 millis"), Schedule.recurs(600)])
      })
    ])
  })

/** State of the latest ladder of a video. */
export const boardState = (videoId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ state: string }>`
      select state from job where video_id = ${videoId} and type = ${transcodingType} order by id desc limit 1`
    return rows[0]?.state
  })

/** Whether the storyboard of a video is still to be given out. */
const sheetIsDue = (videoId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql`select 1 from job
      where video_id = ${videoId} and type = ${storyboardType} and state in ('waiting', 'active')`
    return rows.length > 0
  })

/** Whether the latest ladder of a video is in this state, and the storyboard is not behind. */
export const reaches = (videoId: number, state: string) =>
  Effect.gen(function* () {
    return (yield* boardState(videoId)) === state && !(yield* sheetIsDue(videoId))
  })

/** What a runner is offered of a video: the storyboard, then the renditions from the highest. */
export const offersOf = (runner: string, video: { readonly uuid: string }) =>
  Effect.map(offers(runner), (all) => all.filter(({ payload }) => JSON.stringify(payload).includes(video.uuid)))

/** Gives up the work on a video that has not ended. */
export const giveUp = (videoId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`update job set state = 'cancelled', finished_at = now()
      where video_id = ${videoId} and state not in ('completed', 'failed', 'cancelled')`
  })

/** A film, as a result that is taken whatever was asked for. */
export const film = () => [
  resultFile("videoFile", readFileSync(plainClip())),
  resultFile("resolutionPlaylistFile", "#EXTM3U")
]
