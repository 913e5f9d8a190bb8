import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { plainClip } from "../upload/Clips.ts"
import { newUser, uploadNode } from "../upload/UploadNode.ts"
import { upload, workOff } from "../process/Pipeline.ts"

const settings = {
  uploads: { reviewsNewVideos: true },
  processing: { transcoding: false }
}

layer(uploadNode(settings), { excludeTestServices: true, timeout: 60_000 })("new videos that are reviewed", (it) => {
  const state = Effect.fnUntraced(function* (videoId: number) {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ listed: boolean; announced: boolean; type: number | null; unfederated: boolean | null }>`
      select v.listed, v.announced, b.type, b.unfederated from video v left join video_blacklist b on b.video_id = v.id
      where v.id = ${videoId}`
    return row
  })

  it.effect("wait for a moderator, who is notified, and are announced when they are let through", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const video = yield* upload(yield* newUser("reviewed"), plainClip())
      const held = { listed: false, announced: false, type: 2, unfederated: true }
      assert.deepStrictEqual(yield* state(video.id), held)
      yield* workOff
      assert.deepStrictEqual(yield* state(video.id), held)
      const events = yield* sql<{
        tag: string
      }>`select tag from notification_event where subject = ${video.id} order by id`
      assert.deepStrictEqual(
        events.map(({ tag }) => tag),
        ["VideoBlocked", "VideoReady"]
      )
      yield* sql`delete from video_blacklist where video_id = ${video.id}`
      assert.deepInclude(yield* state(video.id), { listed: true, announced: true })
    })
  )

  it.effect("are not those of users who are exempt, nor of moderators", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const [name, change] of [
        ["exempt", sql`update app_user set admin_flags = 1 where username = 'exempt'`],
        ["moderating", sql`update app_user set role = 1 where username = 'moderating'`],
        ["administrating", sql`update app_user set role = 0 where username = 'administrating'`]
      ] as const) {
        const owner = yield* newUser(name)
        yield* change
        const video = yield* upload(owner, plainClip())
        yield* workOff
        assert.deepInclude(yield* state(video.id), { listed: true, type: null }, name)
      }
    })
  )
})

layer(uploadNode({ processing: { transcoding: false } }), { excludeTestServices: true, timeout: 60_000 })(
  "new videos with words the instance watches for",
  (it) => {
    it.effect("are blocked before anybody has seen them, here or elsewhere", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [instance] = yield* sql<{ id: number }>`
          with made as (
            insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
            values ('Application', 'peertube', 'http://localhost:9000/accounts/peertube', 'http://localhost:9000/inbox', 'p', 'p')
            returning id
          )
          insert into account (actor_id, display_name) select id, 'peertube' from made returning id`
        const accountId = instance!.id
        yield* sql`insert into watched_words_list (account_id, name, words) values (${accountId}, 'Forbidden', '{grape}')`
        yield* sql`insert into watched_words_version (account_id) values (${accountId})`
        yield* sql`insert into automatic_tag_policy (account_id, policy, name) values (${accountId}, 3, 'Forbidden')`
        const owner = yield* newUser("grapes")
        const tagsOf = (videoId: number) => sql<{ name: string; type: number | null; unfederated: boolean | null }>`
          select t.name::text as name, b.type, b.unfederated from video_automatic_tag t
            left join video_blacklist b on b.video_id = t.video_id where t.video_id = ${videoId}`
        const video = yield* upload(owner, plainClip(), { name: "Some Grape" })
        const held = [{ name: "Forbidden", type: 3, unfederated: true }]
        assert.deepStrictEqual(yield* tagsOf(video.id), held)
        yield* workOff
        assert.deepStrictEqual(yield* tagsOf(video.id), held)
        const [row] = yield* sql`select listed, announced from video where id = ${video.id}`
        assert.deepStrictEqual(row, { listed: false, announced: false })

        yield* sql`update app_user set admin_flags = 1 where username = 'grapes'`
        const other = yield* upload(owner, plainClip(), { name: "Another grape" })
        assert.deepStrictEqual(yield* tagsOf(other.id), [{ name: "Forbidden", type: null, unfederated: null }])
      })
    )
  }
)
