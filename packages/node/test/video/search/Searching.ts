import { assert } from "@effect/vitest"
import { VideoList } from "@kinora/domain/wire/Video"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { peopledNode, People, type Person } from "../list/People.ts"

export const node = ReadModelRefresher.layer.pipe(Layer.provideMerge(peopledNode))
const decodeVideos = Schema.decodeUnknownSync(Schema.fromJsonString(VideoList), { onExcessProperty: "error" })

interface Written {
  readonly description?: string
  readonly tags?: ReadonlyArray<string>
  readonly [column: string]: unknown
}

/** A published public video of the owner with these columns; answers its id and UUID. */
export const write = Effect.fn("write")(function* (name: string, columns: Written = {}) {
  const sql = yield* SqlClient
  const { tags = [], ...others } = columns
  const rows = yield* sql<{ id: number; uuid: string }>`
    insert into video ${sql.insert({ name, privacy: 1, state: 1, url: "", channel_id: 0, account_id: 0, ...others })}
    returning id, uuid`.pipe(Effect.catch(() => Effect.die("cannot write")))
  for (const tag of tags) {
    yield* sql`insert into tag (name) values (${tag}) on conflict do nothing`
    yield* sql`insert into video_tag (video_id, tag_id) select ${rows[0]!.id}, id from tag where name = ${tag}`
  }
  return rows[0]!
})

export const owned = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ channel_id: number; account_id: number }>`
    select c.id as channel_id, a.id as account_id from app_user u join account a on a.user_id = u.id
    join video_channel c on c.account_id = a.id where u.username = 'owner'`
  return rows[0]!
})

let made = 0
export const video = Effect.fn("video")(function* (name: string, columns: Written = {}) {
  made++
  return yield* write(name, { url: `http://localhost:9000/videos/watch/test-${made}`, ...(yield* owned), ...columns })
})

export const asked = Effect.fn("asked")(function* (
  path: string,
  query: Record<string, string>,
  who: Person = "anonymous"
) {
  const people = yield* People
  const answer = yield* send(
    `/api/v1/search/${path}?${new URLSearchParams(query)}`,
    who === "anonymous" ? {} : bearer(people[who])
  )
  return answer
})

export const found = Effect.fn("found")(function* (query: Record<string, string> | string, who: Person = "anonymous") {
  const answer = yield* asked("videos", typeof query === "string" ? { search: query } : query, who)
  assert.strictEqual(answer.status, 200, answer.text)
  const list = decodeVideos(answer.text)
  assert.isAtLeast(list.total, list.data.length)
  return list.data.map((one) => one.name)
})
