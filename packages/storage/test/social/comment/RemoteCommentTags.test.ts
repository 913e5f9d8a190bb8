import { assert, layer } from "@effect/vitest"
import { AutomaticTagPolicy } from "@kinora/domain/enums/AutomaticTag"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { RemoteCommentRows } from "../../../src/federation/remote/RemoteCommentRows.ts"
import { TagPolicyRows } from "../../../src/people/tags/TagPolicyRows.ts"
import { WatchedWordRows } from "../../../src/people/words/WatchedWordRows.ts"
import { JobBoard } from "../../../src/platform/jobs/JobBoard.ts"
import { prepareReadModels } from "../../../src/video/read/ReadModelVersion.ts"
import { remoteComments } from "../../support/RemoteComments.ts"
import { seedVideos } from "../../support/SeedVideos.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const services = Layer.mergeAll(RemoteCommentRows.layer, TagPolicyRows.layer, WatchedWordRows.layer).pipe(
  Layer.provide(JobBoard.layer),
  Layer.provideMerge(TestDatabase)
)

const url = (name: string) => `https://far.example/comments/${name}`

layer(services, { excludeTestServices: true, timeout: 60_000 })("automatic tags of comments from elsewhere", (it) => {
  it.effect("are given when they arrive and when they are changed, and hold them for review", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const words = yield* WatchedWordRows
      const comments = yield* RemoteCommentRows
      yield* prepareReadModels("https://videos.example")
      const { videoIds } = yield* seedVideos({ videos: 2, accounts: 2, files: 1 })
      const videoId = videoIds[0]!
      const [video] = yield* sql<{ ownerId: number }>`
        update video set comments = 0, comments_policy = 1 where id = ${videoId} returning account_id as "ownerId"`
      const { ownerId } = video!
      const [far] = yield* sql<{ id: number }>`
        with host as (insert into server (host) values ('far.example') returning id),
        made as (
          insert into actor (type, preferred_username, server_id, url, inbox_url, public_key)
          select 'Person', 'far', id, 'https://far.example/accounts/far', 'https://far.example/inbox', 'p' from host returning id
        )
        insert into account (actor_id, display_name) select id, 'Far' from made returning id`
      yield* words.add(ownerId, { name: "Rude", words: ["idiot"] })
      yield* words.add(ownerId, { name: "Fruit", words: ["banana"] })
      yield* (yield* TagPolicyRows).replace(ownerId, AutomaticTagPolicy.reviewComment, ["Rude"])

      const ids = yield* remoteComments(videoId, far!.id, [
        { url: url("plain"), text: "nothing of it" },
        { url: url("fruit"), text: "a <b>banana</b>".replaceAll(/<\/?b>/g, "") },
        { url: url("rude"), text: "an IDIOT" }
      ])
      const [plain, fruit, rude] = ids as [number, number, number]
      const stateOf = Effect.fnUntraced(function* (id: number) {
        const [row] = yield* sql<{ text: string; held: boolean; tags: ReadonlyArray<string> }>`
          select text, held_for_review as held, array(
            select t.name::text from comment_automatic_tag t where t.comment_id = c.id order by 1
          ) as tags from video_comment c where id = ${id}`
        return row!
      })
      const shown = Effect.map(
        sql<{ comments: number }>`select comments from video where id = ${videoId}`,
        (rows) => rows[0]!.comments
      )
      assert.deepStrictEqual(yield* stateOf(plain), { text: "nothing of it", held: false, tags: [] })
      assert.deepStrictEqual(yield* stateOf(fruit), { text: "a banana", held: false, tags: ["Fruit"] })
      assert.deepStrictEqual(yield* stateOf(rude), { text: "an IDIOT", held: true, tags: ["Rude"] })
      assert.strictEqual(yield* shown, 2)

      yield* comments.edit(plain, "idiot, after all", null)
      assert.deepStrictEqual(yield* stateOf(plain), { text: "idiot, after all", held: true, tags: ["Rude"] })
      assert.strictEqual(yield* shown, 1)
      // The owner has seen it: the same tag does not hold it again.
      yield* comments.approve(plain)
      yield* comments.edit(plain, "idiot, still", null)
      assert.deepStrictEqual(yield* stateOf(plain), { text: "idiot, still", held: false, tags: ["Rude"] })
      yield* comments.edit(plain, "gone", null)
      assert.deepStrictEqual((yield* stateOf(plain)).tags, [])
      assert.strictEqual(yield* shown, 2)
    })
  )
})
