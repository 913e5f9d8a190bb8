import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { MadeRunnerJobType } from "@kinora/domain/enums/RunnerJobType"
import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { send } from "../instance/about/Client.ts"
import { People, type Person } from "../video/list/People.ts"
import { addVideo, putObject } from "../video/list/Videos.ts"

const base = "/api/v1/runners"

/** A JSON request below `/api/v1/runners`, as a runner sends it. */
export const post = (path: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  send(`${base}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

/** A request below `/api/v1/runners` of somebody who is logged in. */
export const manage = Effect.fnUntraced(function* (method: string, path: string, who: Person = "administrator") {
  const tokens = yield* People
  const headers = who === "anonymous" ? {} : { authorization: `Bearer ${tokens[who]}` }
  return yield* send(`${base}${path}`, { method, headers })
})

/** A new registration token. */
export const registrationToken = Effect.fnUntraced(function* () {
  yield* manage("POST", "/registration-tokens/generate")
  const { json } = yield* manage("GET", "/registration-tokens?sort=-createdAt&count=1")
  return json.data[0] as { readonly id: number; readonly registrationToken: string }
})

/** A new runner; gives its token and id. */
export const runner = Effect.fnUntraced(function* (name: string = randomUUID()) {
  const { registrationToken: token } = yield* registrationToken()
  const { json } = yield* post("/register", { name, description: "of the tests", registrationToken: token })
  return json as { readonly id: number; readonly runnerToken: string }
})

/** A video that is being processed, with a source of this content and a picture. */
export const sourceVideo = Effect.fnUntraced(function* (content: string) {
  const sql = yield* SqlClient
  const video = yield* addVideo({ owner: "owner", privacy: VideoPrivacy.private })
  const filename = `${randomUUID()}.mp4`
  yield* sql`insert into video_source (video_id, filename, input_filename, size)
    values (${video.id}, ${filename}, 'upload.mp4', ${content.length})`
  yield* putObject("original_video_files", filename, content)
  return video
})

/** A pending job, or one that waits for its parent. */
export const addJob = Effect.fnUntraced(function* (
  options: {
    readonly type?: MadeRunnerJobType
    readonly priority?: number
    readonly videoId?: number
    readonly parentId?: number
  } = {}
) {
  const board = yield* RunnerJobBoard
  const uuid = randomUUID()
  const id = yield* board.add({
    uuid,
    type: options.type ?? "vod-hls-transcoding",
    priority: options.priority ?? 100,
    payload: { input: { videoFileUrl: `http://localhost:9000/${uuid}` }, output: { resolution: 720, fps: 25 } },
    privatePayload: { videoUUID: "private" },
    videoId: options.videoId ?? null,
    parentId: options.parentId
  })
  return { id, uuid }
})

/** Takes a job; gives both tokens. */
export const accept = Effect.fnUntraced(function* (uuid: string, runnerToken: string) {
  const { json } = yield* post(`/jobs/${uuid}/accept`, { runnerToken })
  return { runnerToken, jobToken: json.job.jobToken as string }
})

/** The job as administrators see it; undefined when there is none. */
export const job = Effect.fnUntraced(function* (uuid: string) {
  const { json } = yield* manage("GET", `/jobs?search=${uuid}`)
  return json.data.find((one: { readonly uuid: string }) => one.uuid === uuid)
})

export const stateOf = (uuid: string) => Effect.map(job(uuid), (found) => found?.state.id as number | undefined)
