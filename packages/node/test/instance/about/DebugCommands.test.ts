import { assert, layer } from "@effect/vitest"
import { debugCommands } from "@kinora/domain/enums/DebugCommand"
import { Effect } from "effect"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { bearer, send } from "./Client.ts"
import { People, peopledNode } from "../../video/list/People.ts"

const order = (token: string, body: unknown) =>
  send("/api/v1/server/debug/run-command", {
    method: "POST",
    headers: { ...(bearer(token).headers as Record<string, string>), "content-type": "application/json" },
    body: JSON.stringify(body)
  })

layer(peopledNode, { excludeTestServices: true })("debug commands", (it) => {
  it.effect("have the work done that is offered, and say when it fails", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      const supervisor = yield* Supervisor
      let swept = 0
      yield* supervisor.offer(
        "upload sweeper",
        Effect.sync(() => void (swept += 1))
      )
      assert.strictEqual((yield* order(administrator, { command: "remove-dandling-resumable-uploads" })).status, 204)
      assert.strictEqual(swept, 1)
      yield* supervisor.offer("old rows", Effect.fail("no database"))
      assert.strictEqual((yield* order(administrator, { command: "process-remove-old-stats" })).status, 400)
    }).pipe(Effect.scoped)
  )

  it.effect("are refused when there is no such one, or no mail to send", () =>
    Effect.gen(function* () {
      const { administrator } = yield* People
      assert.strictEqual((yield* order(administrator, { command: "rm" })).status, 400)
      assert.strictEqual((yield* order(administrator, {})).status, 400)
      const mail = yield* order(administrator, { command: "test-emails", email: "a@example.com" })
      assert.strictEqual(mail.status, 400)
      assert.include(mail.json.detail, "mail")
      assert.include(debugCommands, "test-emails")
    })
  )
})
