import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { FeedRoutes } from "../../../src/social/feed/FeedRoutes.ts"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { People } from "../../video/list/People.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"

/** A node that answers feeds besides what `testNode` does, with people. */
export const feedNode = (overrides: Overrides = {}) =>
  People.layer.pipe(
    Layer.provideMerge(
      layerServe(Layer.mergeAll(testRoutes, FeedRoutes), testOptions).pipe(Layer.provideMerge(testServices(overrides)))
    )
  )

/** Account and channel of a user. */
export const actorsOf = Effect.fnUntraced(function* (username: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ accountId: number; channelId: number; channelName: string }>`
    select a.id as "accountId", c.id as "channelId", ca.preferred_username as "channelName"
    from app_user u join account a on a.user_id = u.id join video_channel c on c.account_id = a.id
      join actor ca on ca.id = c.actor_id
    where u.username = ${username} order by c.id limit 1`
  return row!
})

/** Writes a comment as the API does; answers its id. */
export const addComment = Effect.fnUntraced(function* (
  videoId: number,
  username: string,
  text: string,
  parent?: number
) {
  const { accountId } = yield* actorsOf(username)
  return yield* localComment({ videoId, accountId, text, inReplyTo: parent, trusted: true })
})
