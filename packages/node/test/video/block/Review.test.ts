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
