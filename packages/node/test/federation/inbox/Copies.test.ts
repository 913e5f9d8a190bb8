import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Users } from "../../../src/people/user/Users.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { applied, farInstance, oursOf, refused, tell } from "./FarInstance.ts"
import { ours } from "./FarPeer.ts"
import { inboxNode } from "./InboxNode.ts"

const people = Layer.effectDiscard(
  Effect.flatMap(Effect.service(Users), (users) =>
    users.create({ username: "owner", email: "owner@example.com", password: "password1", role: 2 })
  )
)
const node = people.pipe(Layer.provideMerge(inboxNode()))

layer(node, { excludeTestServices: true, timeout: "120 seconds" })("Copies of our videos", (it) => {
  it.effect("are taken of instances that are followed, and forgotten when they are not any more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { far } = yield* farInstance
      const mallory = far.actor("mallory")
      const video = yield* addVideo({ owner: "owner" })
      const copy = {
        type: "CacheFile",
        id: `${far.origin}/redundancy/streaming-playlists/hls/1`,
        object: oursOf(video.uuid),
        expires: "2100-01-01T00:00:00Z",
        url: { type: "Link", mediaType: "application/x-mpegURL", href: `${far.origin}/copies/master.m3u8` }
      }
      const copies = sql`select base_url as base from video_redundancy where video_id = ${video.id}`
      const app = far.actor("peertube", { type: "Application" })
      const away = { ...copy, url: { ...copy.url, href: "https://elsewhere.example/master.m3u8" } }
      assert.strictEqual((yield* tell(far, app, "Create", away))?.state, "refused")
      // Players would fetch from whoever offers one: copies are taken of instances that are followed.
      const unfollowed = refused("copies are taken of instances we follow")
      assert.deepStrictEqual(yield* tell(far, app, "Create", copy), unfollowed)
      const follow = sql`
        insert into actor_follow (actor_id, target_actor_id, state, url)
        select o.id, c.id, 'accepted', ${`${ours}/copies-of`} from actor o, actor c
        where o.url = ${`${ours}/accounts/peertube`} and c.url = ${app.url}`
      yield* follow
      assert.deepStrictEqual(yield* tell(far, app, "Create", { ...copy, again: 1 }), applied)
      assert.deepStrictEqual(yield* copies, [{ base: `${far.origin}/copies` }])
      // One that was taken is forgotten when its keeper is followed no more and offers it again.
      yield* sql`delete from actor_follow where url = ${`${ours}/copies-of`}`
      assert.deepStrictEqual(yield* tell(far, app, "Update", { ...copy, again: 2 }), unfollowed)
      assert.deepStrictEqual(yield* copies, [])
      yield* follow
      assert.deepStrictEqual(yield* tell(far, app, "Create", { ...copy, again: 3 }), applied)
      yield* tell(far, mallory, "Undo", { type: "Create", actor: mallory.url, object: copy })
      assert.strictEqual((yield* copies).length, 1)
      assert.deepStrictEqual(yield* tell(far, app, "Undo", { type: "Create", actor: app.url, object: copy }), applied)
      assert.deepStrictEqual(yield* copies, [])
    })
  )
})
