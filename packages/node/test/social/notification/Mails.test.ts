import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { MailTasks } from "../../../src/platform/mail/MailTasks.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { NotificationTasks } from "../../../src/social/notification/NotificationTasks.ts"
import { PageUnsubscribeLayer } from "../../../src/web-pages/data/PageUnsubscribeLayer.ts"
import { NotificationPageRoutes } from "../../../src/web-pages/NotificationPagesHttp.ts"
import { PageInstanceLayer } from "../../../src/web-pages/data/PageInstanceLayer.ts"
import { send } from "../../instance/about/Client.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"
import { BuiltClient } from "../../web-pages/support/BuiltClient.ts"
import { MailServer } from "../../support/MailServer.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { as, comment, list, typesOf } from "./NotifiedNode.ts"

const pages = NotificationPageRoutes.pipe(
  Layer.provide(Layer.mergeAll(PageInstanceLayer, PageUnsubscribeLayer, BuiltClient))
)

const node = Layer.unwrap(
  Effect.map(MailServer, (server) =>
    People.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(layerServe(Layer.mergeAll(testRoutes, pages), testOptions), NotificationTasks, MailTasks).pipe(
          Layer.provideMerge(testServices(server.overrides))
        )
      )
    )
  )
).pipe(Layer.provideMerge(MailServer.layer))

const settings = "/api/v1/users/me/notification-settings"

layer(node, { excludeTestServices: true, timeout: "90 seconds" })("Mails of notifications", (it) => {
  it.effect("say what happened in text, and end with one click without a login", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      yield* as("owner", "PUT", settings, { newCommentOnMyVideo: 3, newFollow: 2 })
      const video = yield* addVideo({ owner: "owner" })
      yield* comment("other", video.id, "Nice **film** <script>alert(1)</script>\r\nBcc: x@example.com")
      const mail = yield* server.waitFor((it) => it.subject.includes("commented on"))
      assert.deepStrictEqual([...mail.to], ["owner@example.com"])
      assert.include(mail.subject, "other commented on “Video of owner”")
      assert.include(mail.text, "> Nice film")
      assert.notInclude(mail.html, "<script>")
      assert.include(mail.text, "http://localhost:9000/my-account/notifications")
      assert.include(mail.text, `http://localhost:9000/w/`)
      assert.isFalse(mail.headers.has("bcc"))
      assert.deepStrictEqual(mail.headers.get("list-unsubscribe-post"), ["List-Unsubscribe=One-Click"])
      const link = /^<(http:\/\/localhost:9000\/unsubscribe\?token=[^>]+)>$/.exec(
        mail.headers.get("list-unsubscribe")![0]!
      )![1]!
      const path = link.slice("http://localhost:9000".length)

      // Opening it, as programs do, changes nothing.
      const asked = yield* send(path)
      assert.strictEqual(asked.status, 200)
      assert.include(asked.text, "Comments on your videos")
      assert.strictEqual(asked.headers.get("cache-control"), "no-store")
      const chosen = Effect.map(as("owner", "GET", "/api/v1/users/me"), ({ json }) => json.notificationSettings)
      assert.strictEqual((yield* chosen).newCommentOnMyVideo, 3)
      const ended = yield* send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click"
      })
      assert.strictEqual(ended.status, 200)
      const after = yield* chosen
      assert.deepStrictEqual([after.newCommentOnMyVideo, after.newFollow], [1, 2])

      for (const wrong of [
        "",
        "?token=",
        `${path.slice("/unsubscribe".length)}x`,
        "?token=1.AAAA",
        `?token=${"1".repeat(400)}`
      ]) {
        assert.strictEqual((yield* send(`/unsubscribe${wrong}`)).status, 400, wrong)
        assert.strictEqual((yield* send(`/unsubscribe${wrong}`, { method: "POST" })).status, 400, wrong)
      }

      // Only mailed: it is in no list.
      yield* typesOf("owner")
      yield* as("other", "POST", "/api/v1/users/me/subscriptions", { uri: "owner_channel" })
      yield* server.waitFor((it) => it.subject.includes("other follows your channel"))
      assert.strictEqual((yield* list("owner")).total, 0)
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select 1 from user_notification where mail_at is not null`, [])
    }).pipe(Effect.orDie)
  )

  it.effect("do not hold up others, are tried again, and not sent to who has changed their mind", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const sql = yield* SqlClient
      yield* server.refuse((address) => (address === "owner@example.com" ? { code: 451, message: "later" } : undefined))
      yield* as("owner", "PUT", settings, { newCommentOnMyVideo: 2 })
      const video = yield* addVideo({ owner: "owner" })
      for (let n = 0; n < 15; n++) yield* comment("other", video.id, `number ${n}`)
      yield* (yield* Mailer).queue({ _tag: "PasswordChanged", to: "hurry@example.com", username: "hurry" })
      yield* server.waitForMailTo("hurry@example.com")
      const waiting = yield* sql<{ attempts: number }>`
        select max(mail_attempts)::integer as attempts from user_notification where mail_at is not null`
      assert.isAtLeast(waiting[0]!.attempts, 0)
      yield* as("owner", "PUT", settings, { newCommentOnMyVideo: 1 })
      // The one that is on its way by now is refused, too.
      yield* sql`select 1 from user_notification where mail_at <= now() or mail_at > now() + interval '4 minutes'`.pipe(
        Effect.flatMap((rows) => (rows.length === 0 ? Effect.void : Effect.fail("not yet"))),
        Effect.retry(Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(400)]))
      )
      yield* server.refuse(() => undefined)
      yield* sql`update user_notification set mail_at = now() where mail_at is not null`
      yield* sql`select pg_notify('notification', 'mail')`
      yield* as("owner", "PUT", settings, { newFollow: 2 })
      yield* as("other", "DELETE", "/api/v1/users/me/subscriptions/owner_channel")
      const before = server.received.length
      yield* as("other", "POST", "/api/v1/users/me/subscriptions", { uri: "owner_channel" })
      yield* server.waitFor(
        (it) => server.received.indexOf(it) >= before && it.subject.includes("follows your channel")
      )
      assert.isFalse(server.received.some(({ text }) => text.includes("number ")))
    }).pipe(Effect.orDie)
  )

  it.effect("older links to subscriptions lead to their page", () =>
    Effect.gen(function* () {
      const answer = yield* send("/videos/subscriptions", { redirect: "manual" })
      assert.strictEqual(answer.status, 302)
      assert.strictEqual(answer.headers.get("location"), "/my/subscriptions")
    })
  )
})
