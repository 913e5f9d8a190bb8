import { assert, layer } from "@effect/vitest"
import { JobBoard } from "@kinora/storage/platform/jobs/JobBoard"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { nodeName } from "../../../src/platform/jobs/NodeName.ts"
import { removalJobType } from "../../../src/social/comment/CommentRemovals.ts"
import { moderationWorker } from "../../../src/social/tagging/ModerationTasks.ts"
import { ModerationWorker } from "../../../src/social/tagging/ModerationWorker.ts"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, counted, say, sayMore } from "./Talk.ts"

const bulk = Effect.fnUntraced(function* (token: string, scope: string) {
  const answer = yield* ask("POST", "/bulk/remove-comments-of", token, { accountName: "other", scope })
  assert.strictEqual(answer.status, 204, answer.text)
})

/** States of the jobs that delete what was left, the oldest first. */
const jobs = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ state: string }>`select state from job where type = ${removalJobType} order by id`
  return rows.map(({ state }) => state)
})

const node = moderationWorker.pipe(Layer.provideMerge(peopledNode))

layer(node, { excludeTestServices: true, timeout: 60_000 })("Bulk removal of comments", (it) => {
  it.effect("deletes few at once, and is a job for many, which the death of its node does not end", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const worker = yield* ModerationWorker
      const { uuid } = yield* addVideo({ owner: "owner" })
      const elsewhere = yield* addVideo({ owner: "moderator" })
      yield* say(other, uuid, "one")
      yield* bulk(owner, "my-videos")
      assert.strictEqual((yield* counted(uuid)).comments, 0)
      assert.deepStrictEqual(yield* jobs, [])

      const { id } = yield* say(other, uuid, "first")
      yield* sayMore(id, "more", 499)
      yield* sayMore((yield* say(other, elsewhere.uuid, "first")).id, "more", 249)
      yield* say(owner, uuid, "of somebody else")
      assert.strictEqual((yield* counted(uuid)).comments, 501)
      yield* bulk(owner, "my-videos")
      assert.strictEqual((yield* counted(uuid)).comments, 301)
      assert.deepStrictEqual(yield* jobs, ["waiting"])
      // What is said after it was asked for stays.
      yield* say(other, uuid, "later")

      const board = yield* JobBoard
      const claimed = yield* board.claim([removalJobType], `${yield* nodeName} moderation`, "1 hour")
      assert.isTrue(Option.isSome(claimed))
      assert.isFalse(yield* worker.once)
      assert.strictEqual(yield* worker.takeBack, 1)
      while (yield* worker.once);
      assert.deepStrictEqual(yield* jobs, ["completed"])
      assert.strictEqual((yield* counted(uuid)).comments, 2)
      assert.strictEqual((yield* counted(elsewhere.uuid)).comments, 250)

      yield* bulk(moderator, "instance")
      while (yield* worker.once);
      assert.deepStrictEqual(yield* jobs, ["completed", "completed"])
      assert.strictEqual((yield* counted(uuid)).comments, 1)
      assert.strictEqual((yield* counted(elsewhere.uuid)).comments, 0)
      const sql = yield* SqlClient
      const acts = yield* sql`select username, action from audit_entry where domain = 'comment'`
      assert.deepStrictEqual(acts, [{ username: "moderator", action: "delete-all" }])
      // A payload of another version ends its job and nothing else.
      yield* board.enqueue({ type: removalJobType, payload: { accountId: "x" }, maxAttempts: 1 })
      while (yield* worker.once);
      assert.strictEqual((yield* jobs).at(-1), "failed")
    })
  )
})
