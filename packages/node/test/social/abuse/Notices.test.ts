import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { MailTasks } from "../../../src/platform/mail/MailTasks.ts"
import { NotificationTasks } from "../../../src/social/notification/NotificationTasks.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { MailServer } from "../../support/MailServer.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { say } from "../comment/Talk.ts"
import { allNotified, as, list, type Notified, typesOf } from "../notification/NotifiedNode.ts"
import { accountOf, noReports, report, write } from "./AbuseClient.ts"

const node = Layer.unwrap(
  Effect.map(MailServer, (server) =>
    People.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(layerServe(testRoutes, testOptions), NotificationTasks, MailTasks).pipe(
          Layer.provideMerge(testServices(server.overrides))
        )
      )
    )
  )
).pipe(Layer.provideMerge(MailServer.layer))

const settings = "/api/v1/users/me/notification-settings"
const everybody: ReadonlyArray<Notified> = ["owner", "other", "moderator", "administrator"]

const types = Effect.map(Effect.forEach(everybody, typesOf), (all) =>
  Object.fromEntries(everybody.map((who, place) => [who, all[place]]))
)

layer(node, { excludeTestServices: true, timeout: "90 seconds" })("notifications of reports", (it) => {
  it.effect("reach moderators, and who reported; never who was reported", () =>
    Effect.gen(function* () {
      const { administrator, other } = yield* People
      const sql = yield* SqlClient
      const video = yield* addVideo({ owner: "owner" })
      const id = yield* report(other, { video: { id: video.uuid } })
      assert.deepStrictEqual(yield* types, { owner: [], other: [], moderator: [3], administrator: [3] })

      yield* write(other, id, "Please look")
      assert.deepStrictEqual(yield* types, { owner: [], other: [], moderator: [16], administrator: [16] })
      yield* write(administrator, id, "We do")
      yield* allNotified
      const [message] = (yield* list("other")).data
      assert.deepInclude(message, { type: 16, read: false })
      assert.deepInclude(message.abuse, { id, state: 1 })
      assert.strictEqual(message.abuse.video.uuid, video.uuid)
      assert.deepStrictEqual(yield* types, { owner: [], other: [16], moderator: [], administrator: [] })

      yield* as("moderator", "PUT", `/api/v1/abuses/${id}`, { state: 3 })
      yield* as("moderator", "PUT", `/api/v1/abuses/${id}`, { state: 3, moderationComment: "Well" })
      yield* allNotified
      assert.deepInclude((yield* list("other")).data[0].abuse, { id, state: 3 })
      assert.deepStrictEqual(yield* types, { owner: [], other: [15], moderator: [], administrator: [] })
      yield* as("moderator", "PUT", `/api/v1/abuses/${id}`, { state: 1 })
      assert.deepStrictEqual((yield* types)["other"], [])

      // A moderator hears of no report about themselves, and not of their own messages.
      const own = yield* report(other, { account: { id: yield* accountOf("moderator") } })
      assert.deepStrictEqual(yield* types, { owner: [], other: [], moderator: [], administrator: [3] })
      yield* write(other, own, "Is anybody there?")
      assert.deepStrictEqual(yield* types, { owner: [], other: [], moderator: [], administrator: [16] })
      const theirs = yield* report((yield* People).moderator, { video: { id: video.uuid } })
      yield* types
      yield* write((yield* People).moderator, theirs, "Who takes this?")
      assert.deepStrictEqual(yield* types, { owner: [], other: [], moderator: [], administrator: [16] })

      // What is deleted takes its notifications along; what was moderated is not for who is no moderator any more.
      const slip = yield* write(other, own, "A slip")
      yield* allNotified
      assert.strictEqual((yield* list("administrator")).total, 1)
      yield* as("other", "DELETE", `/api/v1/abuses/${own}/messages/${slip}`)
      assert.strictEqual((yield* list("administrator")).total, 0)
      yield* write(other, id, "Still there?")
      yield* allNotified
      assert.strictEqual((yield* list("moderator")).total, 1)
      yield* sql`update app_user set role = 2 where username = 'moderator'`
      assert.strictEqual((yield* list("moderator")).total, 0)
      yield* sql`update app_user set role = 1 where username = 'moderator'`
      yield* as("administrator", "DELETE", `/api/v1/abuses/${id}`)
      assert.strictEqual((yield* list("moderator")).total, 0)

      // A number that was counted through opens nothing here either.
      const unlisted = yield* addVideo({ owner: "owner", privacy: 2 })
      const blind = yield* report(other, { video: { id: unlisted.id } })
      yield* allNotified
      yield* as("administrator", "PUT", `/api/v1/abuses/${blind}`, { state: 2 })
      yield* allNotified
      assert.deepStrictEqual((yield* list("other")).data[0].abuse, { id: blind, state: 2 })
      assert.strictEqual((yield* list("administrator")).data[0].abuse.video.uuid, unlisted.uuid)
      yield* noReports
    })
  )

  it.effect("are mailed with what was written", () =>
    Effect.gen(function* () {
      const { moderator, other, owner } = yield* People
      const server = yield* MailServer
      for (const who of everybody)
        yield* as(who, "PUT", settings, { abuseAsModerator: 3, abuseStateChange: 3, abuseNewMessage: 3 })
      const video = yield* addVideo({ owner: "owner" })
      const said = yield* say(owner, video.uuid, "Rude")
      const id = yield* report(other, { reason: "It is **rude** <b>indeed</b>", comment: { id: said.id } })
      const reported = yield* server.waitFor((it) => it.subject.includes("A comment on “Video of owner” was reported"))
      assert.include(reported.text, "The reason:\n> It is rude")
      assert.notInclude(reported.text, "other")
      yield* write(moderator, id, "What is rude about it?")
      const asked = yield* server.waitFor(
        (it) => it.to.includes("other@example.com") && it.text.includes("What is rude")
      )
      assert.include(asked.subject, "There is a new message about the report of a comment on “Video of owner”")
      assert.include(asked.text, "The message:\n> What is rude about it?")
      yield* as("administrator", "PUT", `/api/v1/abuses/${id}`, { state: 2, moderationComment: "For us alone" })
      const decided = yield* server.waitFor((it) => it.subject.includes("was rejected"))
      assert.include(decided.subject, "Your report of a comment on “Video of owner” was rejected")
      assert.notInclude(decided.text, "For us alone")
      yield* noReports
    })
  )
})
