import { VideoPlaylist, VideoPlaylistElementList, VideoPlaylistList } from "@kinora/domain/wire/VideoPlaylist"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { send } from "../../instance/about/Client.ts"
import { People, type Person } from "../../video/list/People.ts"

const strict = { onExcessProperty: "error" } as const
const decodePlaylist = Schema.decodeUnknownSync(Schema.fromJsonString(VideoPlaylist), strict)
const decodeList = Schema.decodeUnknownSync(Schema.fromJsonString(VideoPlaylistList), strict)
const decodeElements = Schema.decodeUnknownSync(Schema.fromJsonString(VideoPlaylistElementList), strict)

/** Sends a request as somebody; a body that is no form goes as JSON. */
export const ask = Effect.fn("ask")(function* (
  who: Person,
  method: string,
  path: string,
  body?: FormData | URLSearchParams | Readonly<Record<string, unknown>>
) {
  const people = yield* People
  const headers: Record<string, string> = who === "anonymous" ? {} : { authorization: `Bearer ${people[who]}` }
  if (body === undefined) return yield* send(`/api/v1${path}`, { method, headers })
  if (body instanceof FormData || body instanceof URLSearchParams) {
    return yield* send(`/api/v1${path}`, { method, headers, body })
  }
  return yield* send(`/api/v1${path}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
})

export interface Made {
  readonly id: number
  readonly uuid: string
  readonly shortUUID: string
}

/** Makes a playlist and gives what the API answers of it. */
export const make = Effect.fn("make")(function* (fields: Readonly<Record<string, unknown>>, who: Person = "owner") {
  const answer = yield* ask(who, "POST", "/video-playlists", fields)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.videoPlaylist as Made
})

/** One playlist, checked against its schema. */
export const playlist = Effect.fn("playlist")(function* (id: number | string, who: Person = "owner") {
  const answer = yield* ask(who, "GET", `/video-playlists/${id}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return decodePlaylist(answer.text)
})

/** A list of playlists, checked against its schema. */
export const playlists = Effect.fn("playlists")(function* (path: string, who: Person = "anonymous") {
  const answer = yield* ask(who, "GET", path)
  assert.strictEqual(answer.status, 200, answer.text)
  return decodeList(answer.text)
})

/** What stands in a playlist, checked against its schema. */
export const elements = Effect.fn("elements")(function* (id: number | string, who: Person = "owner", query = "") {
  const answer = yield* ask(who, "GET", `/video-playlists/${id}/videos${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  return decodeElements(answer.text)
})

/** Puts a video at the end and gives the element's id. */
export const put = Effect.fn("put")(function* (
  id: number | string,
  videoId: number | string,
  more: Readonly<Record<string, unknown>> = {},
  who: Person = "owner"
) {
  const answer = yield* ask(who, "POST", `/video-playlists/${id}/videos`, { videoId, ...more })
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json.videoPlaylistElement.id as number
})
