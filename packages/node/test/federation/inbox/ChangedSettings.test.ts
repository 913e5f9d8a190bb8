import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { RuntimeConfig } from "../../../src/platform/config/RuntimeConfig.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { applied, farInstance, oursOf, publicly, tell } from "./FarInstance.ts"
import { ours } from "./FarPeer.ts"
import { inboxNode } from "./InboxNode.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    users.create({ username: "owner", email: "owner@example.com", password: "password1", role: 2 })
  )
)

layer(people.pipe(Layer.provideMerge(inboxNode())), { excludeTestServices: true, timeout: "120 seconds" })(
  "settings that administrators change while others send",
  (it) => {
    it.effect("people of other instances may follow channels, or may not", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const runtime = yield* RuntimeConfig
        const { alice, far } = yield* farInstance
        const target = `${ours}/video-channels/owner_channel`
        const follows = sql`select 1 from actor_follow f join actor a on a.id = f.actor_id where a.url = ${alice.url}`
        yield* runtime.apply(new Map([["followers.channels.enabled", false]]))
        assert.deepStrictEqual(yield* tell(far, alice, "Follow", target, { id: `${alice.url}/follows/1` }), applied)
        assert.deepStrictEqual(yield* follows, [])
        yield* runtime.apply(new Map())
        assert.deepStrictEqual(yield* tell(far, alice, "Follow", target, { id: `${alice.url}/follows/2` }), applied)
        assert.lengthOf(yield* follows, 1)
      })
    )

    it.effect("they may comment on videos here, or may not", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const runtime = yield* RuntimeConfig
        const { alice, far } = yield* farInstance
        const video = yield* addVideo({ owner: "owner" })
        const note = (id: number) => ({
          type: "Note",
          id: `${far.origin}/notes/${id}`,
          content: "<p>Hello</p>",
          inReplyTo: oursOf(video.uuid),
          attributedTo: alice.url,
          published: "2026-01-01T00:00:00.000Z",
          to: [publicly],
          cc: [],
          tag: []
        })
        const comments = sql`select 1 from video_comment where video_id = ${video.id}`
        yield* runtime.apply(new Map([["video_comments.accept_remote_comments", false]]))
        const refused = yield* tell(far, alice, "Create", note(1))
        assert.strictEqual(refused?.state, "refused")
        assert.include(refused?.error, "comments of others are not accepted")
        assert.deepStrictEqual(yield* comments, [])
        yield* runtime.apply(new Map())
        assert.deepStrictEqual(yield* tell(far, alice, "Create", note(2)), applied)
        assert.lengthOf(yield* comments, 1)
      })
    )
  }
)
