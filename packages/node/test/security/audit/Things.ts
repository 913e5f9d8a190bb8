import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { deflateSync, crc32 } from "node:zlib"
import { addVideo, ask, RunningNode } from "../RunningNode.ts"
import type { Given, Values } from "./Act.ts"

/** A picture of one colour, as a PNG. */
export const picture = async () => {
  const side = 64
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.concat(Array.from({ length: side }, () => Buffer.alloc(1 + side * 3, 0)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const bytes = Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0))
  ])
  return { name: "picture.png", bytes: new Uint8Array(bytes) }
}

/** A request of the user whose things administrators change; gives the JSON of the answer. */
export const asUser = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
  const { people } = yield* RunningNode
  const headers = { ...people.user, "content-type": "application/json" }
  const answer = yield* ask(method, path, headers, body === undefined ? undefined : JSON.stringify(body))
  if (answer.status >= 300) return yield* Effect.die(new Error(`${method} ${path}: ${answer.status} ${answer.text}`))
  return (answer.text === "" ? {} : JSON.parse(answer.text)) as Readonly<
    Record<string, { readonly id: number } | undefined>
  >
})

/** The id of a row that a statement gives. */
export const idOf = (rows: ReadonlyArray<{ readonly id: number }>): string => String(rows[0]!.id)

export const userId: Given<string> = Effect.gen(function* () {
  const sql = yield* SqlClient
  return idOf(yield* sql<{ id: number }>`select id from app_user where username = 'user'`)
})

/** A new user of no importance. */
export const someUser: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const name = `u${randomUUID().slice(0, 8)}`
  const rows = yield* sql<{ id: number }>`
    insert into app_user (username, email, password_hash, role) values (${name}, ${`${name}@example.com`}, 'x', 2)
    returning id`
  return { id: idOf(rows), userId: idOf(rows), username: name }
})

/** A video of the user, with a web video, a source and passwords. */
export const video: Given<Values> = addVideo(undefined, "user")

const master = [
  "#EXTM3U",
  "#EXT-X-VERSION:7",
  ...[480, 240].flatMap((height) => [
    `#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=${height}x${height}`,
    `${height}.m3u8`
  ]),
  ""
].join("\n")

/** The same with an HLS playlist of two renditions, whose master is stored; the id of one of its files. */
export const hlsVideo: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { process } = yield* RunningNode
  const values = yield* video
  const [found] = yield* sql<{ uuid: string }>`select uuid::text as uuid from video where id = ${Number(values["id"])}`
  const folder = join(process.dataDir, "streaming-playlists/hls", found!.uuid)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "master.m3u8"), master)
  const rows = yield* sql<{ id: number }>`
    with made as (
      insert into streaming_playlist (video_id, playlist_filename) values (${Number(values["id"])}, 'master.m3u8')
      returning id
    )
    insert into video_file (streaming_playlist_id, resolution, fps, size, extname, filename, playlist_filename, has_audio, has_video)
    select m.id, r, 25, 100, '.mp4', ${found!.uuid} || '-' || r || '-fragmented.mp4', r || '.m3u8', true, true
    from made m, unnest(array[480, 240]) r returning id`
  return { ...values, videoFileId: idOf(rows) }
})

/** A channel of the user. */
export const channel: Given<Values> = Effect.gen(function* () {
  const name = `c${randomUUID().slice(0, 8)}`
  const made = yield* asUser("POST", "/api/v1/video-channels", { name, displayName: "A channel" })
  return { channelHandle: name, channelId: String(made["videoChannel"]!.id) }
})

/** A playlist of the user with two elements. */
export const playlist: Given<Values> = Effect.gen(function* () {
  const made = yield* asUser("POST", "/api/v1/video-playlists", { displayName: "A playlist" })
  const playlistId = String(made["videoPlaylist"]!.id)
  const { id } = yield* video
  const add = asUser("POST", `/api/v1/video-playlists/${playlistId}/videos`, { videoId: Number(id) })
  const element = yield* add
  yield* add
  return { playlistId, videoId: id!, playlistElementId: String(element["videoPlaylistElement"]!.id) }
})

/** A comment of the user below a video of theirs. */
export const comment: Given<Values> = Effect.gen(function* () {
  const { id } = yield* video
  const made = yield* asUser("POST", `/api/v1/videos/${id}/comment-threads`, { text: "A comment" })
  return { id: id!, commentId: String(made["comment"]!.id) }
})

/** An actor of another instance. */
export const remoteActor = Effect.fnUntraced(function* (type: "Person" | "Application") {
  const sql = yield* SqlClient
  const host = `${randomUUID().slice(0, 8)}.example`
  const name = type === "Person" ? "somebody" : "instance"
  const rows = yield* sql<{ id: number }>`
    with s as (insert into server (host) values (${host}) returning id)
    insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
    select ${type}, ${name}, s.id, ${`https://${host}/accounts/${name}`}, ${`https://${host}/inbox`}, 'none' from s
    returning id`
  return { id: rows[0]!.id, host, handle: `${name}@${host}` }
})

/** Somebody of another instance who follows this one. */
export const follower = (state: "pending" | "accepted"): Given<Values> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { handle, id } = yield* remoteActor("Application")
    yield* sql`
      insert into actor_follow (actor_id, target_actor_id, state) values (${id}, instance_actor(), ${state})`
    return { handle }
  })

/** A video of another instance that can be copied. */
export const remoteVideo: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const actor = yield* remoteActor("Person")
  const uuid = randomUUID()
  const rows = yield* sql<{ id: number; playlist: number }>`
    with a as (insert into account (actor_id, display_name) values (${actor.id}, 'Somebody') returning id),
    g as (
      insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
      select 'Group', 'channel', server_id, url || '/channel', inbox_url, 'none' from actor where id = ${actor.id}
      returning id
    ),
    c as (
      insert into video_channel (actor_id, account_id, display_name) select g.id, a.id, 'A channel' from g, a
      returning id, account_id
    ),
    v as (
      insert into video (uuid, channel_id, account_id, remote, url, name, privacy, state, duration)
      select ${uuid}, c.id, c.account_id, true, ${`https://${actor.host}/v/${uuid}`}, 'Remote', 1, 1, 5 from c
      returning id
    ),
    p as (
      insert into streaming_playlist (video_id, playlist_url)
      select v.id, ${`https://${actor.host}/${uuid}/master.m3u8`} from v returning id
    )
    select v.id, p.id as playlist from v, p`
  return { videoId: String(rows[0]!.id), playlist: String(rows[0]!.playlist), host: actor.host }
})
