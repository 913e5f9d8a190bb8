import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { WebhookTasks } from "../../../src/instance/webhook/WebhookTasks.ts"
import { call as userCall, enrol, rootToken } from "../../people/user/UserCalls.ts"
import { mailNode } from "../../support/MailNode.ts"
import { MailServer } from "../../support/MailServer.ts"
import { receiver } from "./Receiver.ts"

const call = (method: string, path: string, token: string, body?: unknown) =>
  userCall(method, `/../server/webhooks${path}`, token, body)

const node = WebhookTasks.pipe(Layer.provideMerge(mailNode({ webhooks: { allow_private_addresses: true } })))

layer(node, { excludeTestServices: true, timeout: 120_000 })("administrators", (it) => {
  it.effect("get one mail when a webhook becomes inactive by itself", () =>
    Effect.gen(function* () {
      const root = yield* rootToken
      yield* enrol("second_admin", 0)
      yield* enrol("some_moderator", 1)
      const receives = yield* receiver
      receives.answers((response) => void response.writeHead(410).end())
      const added = yield* call("POST", "", root, { url: receives.url, events: ["live.started"], description: "A bot" })
      const { id } = added.json.webhook
      // An administrator who makes it inactive knows.
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { active: false })).status, 204)
      assert.strictEqual((yield* call("PUT", `/${id}`, root, { active: true })).status, 204)
      assert.strictEqual((yield* call("POST", `/${id}/ping`, root)).status, 200)

      const server = yield* MailServer
      const subject = `Webhook ${id} is inactive`
      const mail = yield* server.waitFor(
        (it) => it.subject.includes(subject) && it.to.includes("second_admin@example.com"),
        "the mail"
      )
      assert.include(mail.text, receives.url)
      assert.include(mail.text, "A bot")
      assert.include(mail.text, "answered 410")
      assert.include(mail.text, `/admin/webhooks/${id}`)
      const sql = yield* SqlClient
      const queued = yield* sql`select 1 from job where type = 'email' and payload ->> 'kind' = 'WebhookDisabled'`
      // One for each administrator, and none for the moderator.
      assert.strictEqual(queued.length, 2)
    }).pipe(Effect.scoped)
  )
})
