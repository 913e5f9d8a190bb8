import { assert, layer } from "@effect/vitest"
import { ReadModelRefresher } from "@kinora/storage/video/read/ReadModelRefresher"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asked, node, owned, video } from "./Searching.ts"

const count = 12
const size = 5

/** Names or ids of all hits, page by page. Rows are rewritten between two pages, which changes where they lie. */
const paged = Effect.fn("paged")(function* (kind: string, table: string, query: Record<string, string>) {
  const sql = yield* SqlClient
  const ids: Array<number> = []
  for (let start = 0; start < count; start += size) {
    const answer = yield* asked(kind, { ...query, start: String(start), count: String(size) })
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual(answer.json.total, count)
    for (const { id } of answer.json.data) ids.push(id)
    yield* sql`update ${sql.literal(table)} set updated_at = now() where id = ${ids[0]!}`
  }
  return ids
})

/** Every hit stands in one place, the same whenever it is asked. */
const steady = Effect.fn("steady")(function* (kind: string, table: string, sorts: ReadonlyArray<string>) {
  for (const sort of sorts) {
    const first = yield* paged(kind, table, { search: "twin", sort })
    assert.strictEqual(new Set(first).size, count, sort)
    assert.deepStrictEqual(yield* paged(kind, table, { search: "twin", sort }), first, sort)
  }
})

layer(node, { excludeTestServices: true, timeout: 120_000 })("hits that are equal", (it) => {
  it.effect("have a steady order, videos, channels and playlists", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { account_id: account, channel_id: channel } = yield* owned
      const time = "2026-11-20T09:25:54Z"
      const times = { created_at: time, published_at: time, updated_at: time }
      let last = 0
      for (let n = 0; n < count; n++) last = (yield* video("A twin", { duration: 5, ...times })).id
      yield* sql`
        with actors as (
          insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
          select 'Group', 'twin_' || n, 'http://localhost:9000/video-channels/twin_' || n, 'x', 'x', 'x'
          from generate_series(1, ${count}) n returning id
        )
        insert into video_channel (actor_id, account_id, display_name, created_at)
        select id, ${account}, 'A twin', ${time}::text::timestamptz from actors`
      yield* sql`
        with lists as (
          insert into video_playlist (uuid, url, name, privacy, owner_account_id, channel_id, channel_position, created_at)
          select u, 'http://localhost:9000/video-playlists/' || u, 'A twin', 1, ${account}, ${channel}, n,
            ${time}::text::timestamptz
          from (select gen_random_uuid() as u, n from generate_series(1, ${count}) n) g returning id
        )
        insert into video_playlist_element (playlist_id, video_id, position) select id, ${last}, 1 from lists`
      yield* (yield* ReadModelRefresher).refresh(1000)
      yield* steady("videos", "video", ["-match", "-publishedAt", "name", "duration", "-views", "-createdAt"])
      yield* steady("video-channels", "video_channel", ["-match", "displayName", "-createdAt"])
      yield* steady("video-playlists", "video_playlist", ["-match", "displayName", "-createdAt"])
    })
  )
})
