import { recordEvent } from "@kinora/storage/social/notification/NotificationEvents"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { NotificationTasks } from "../../../src/social/notification/NotificationTasks.ts"
import { Sockets } from "../../../src/app/Sockets.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { type Person, People } from "../../video/list/People.ts"
import { localComment } from "../../../../storage/test/support/LocalComments.ts"

/** A node with people who are notified. */
export const notifiedNode = (overrides: Overrides = {}) =>
  People.layer.pipe(
    Layer.provideMerge(
      Layer.merge(layerServe(Layer.merge(testRoutes, Sockets), testOptions), NotificationTasks).pipe(
        Layer.provideMerge(testServices(overrides))
      )
    )
  )

export const notifications = "/api/v1/users/me/notifications"

export type Notified = Exclude<Person, "anonymous">

/** Asks as somebody; a body is sent as JSON. */
export const as = Effect.fnUntraced(function* (who: Notified, method: string, path: string, body?: unknown) {
  const token = (yield* People)[who]
  return yield* send(path, {
    method,
    headers: { ...bearer(token).headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

export const list = Effect.fnUntraced(function* (who: Notified, query = "") {
  return (yield* as(who, "GET", `${notifications}${query}`)).json as {
    readonly total: number
    // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared field by field
    readonly data: ReadonlyArray<any>
  }
})

/** Waits until all events are processed. */
export const allNotified = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`select 1 from notification_event limit 1`.pipe(
    Effect.flatMap((rows) => (rows.length === 0 ? Effect.void : Effect.fail("not yet"))),
    Effect.retry(Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(400)]))
  )
}).pipe(Effect.orDie)

/** Types of the notifications of somebody, oldest first; all are deleted then. */
export const typesOf = Effect.fnUntraced(function* (who: Notified) {
  yield* allNotified
  const sql = yield* SqlClient
  const { data } = yield* list(who, "?sort=createdAt&count=100")
  yield* sql`delete from user_notification n using app_user u where u.id = n.user_id and u.username = ${who === "administrator" ? "root" : who}`
  return data.map(({ type }) => type as number)
}, Effect.orDie)

/** Writes a comment as the service of comments does, and records it. */
export const comment = Effect.fnUntraced(function* (who: string, videoId: number, text: string, trusted = true) {
  const sql = yield* SqlClient
  return yield* Effect.gen(function* () {
    const [author] = yield* sql<{ id: number }>`
      select a.id from account a join app_user u on u.id = a.user_id where u.username = ${who}`
    const commentId = yield* localComment({ videoId, accountId: author!.id, text, trusted })
    yield* recordEvent(sql, { _tag: "NewComment", commentId })
    return commentId
  }).pipe(sql.withTransaction, Effect.orDie)
})
