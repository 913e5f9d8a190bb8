import { ViewCounts } from "@kinora/storage/video/view/ViewCounts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ViewReports } from "../../../src/video/view/ViewReports.ts"
import { send } from "../../instance/about/Client.ts"

export interface Said {
  readonly currentTime?: unknown
  readonly [field: string]: unknown
}

/** Tells the server of the suite that somebody watches a video. */
export const tell = (
  video: string | number,
  said: Said,
  headers: Record<string, string> = {},
  route = "POST views"
) => {
  const [method, path] = route.split(" ")
  return send(`/api/v1/videos/${video}/${path}`, {
    method: method!,
    body: JSON.stringify(said),
    headers: { "content-type": "application/json", ...headers }
  })
}

/** Writes what waits. */
export const written = Effect.flatMap(ViewReports, (reports) => reports.flush)

/** As if everything reported so far had been so many seconds earlier. */
export const later = Effect.fn("later")(function* (seconds: number) {
  yield* written
  const sql = yield* SqlClient
  yield* sql`
    update video_viewing set started_at = started_at - ${seconds}::float8 * interval '1 second',
      seen_at = seen_at - ${seconds}::float8 * interval '1 second',
      counted_at = counted_at - ${seconds}::float8 * interval '1 second'`
})

/** Somebody watches from one second to another, as fast as the video runs, and tells so every five seconds. */
export const watch = Effect.fn("watch")(function* (
  video: string,
  from: number,
  to: number,
  said: Said = {},
  headers: Record<string, string> = {}
) {
  yield* tell(video, { ...said, currentTime: from }, headers)
  for (let at = from; at < to;) {
    const next = Math.min(at + 5, to)
    yield* later(next - at)
    yield* tell(video, { ...said, currentTime: next }, headers)
    at = next
  }
  yield* written
})

/** What the API says of a video's views, counted ones having been added. */
export const viewsOf = Effect.fn("viewsOf")(function* (video: string) {
  yield* written
  yield* (yield* ViewCounts).apply
  return (yield* send(`/api/v1/videos/${video}`)).json.views as number
})

export const lasting = Effect.fn("lasting")(function* (video: { readonly id: number }, seconds: number) {
  const sql = yield* SqlClient
  yield* sql`update video set duration = ${seconds} where id = ${video.id}`
})
