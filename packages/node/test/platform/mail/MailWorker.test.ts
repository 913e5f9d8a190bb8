import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MailServer } from "../../support/MailServer.ts"
import { Mailer } from "../../../src/platform/mail/Mailer.ts"
import { MailWorker } from "../../../src/platform/mail/MailWorker.ts"
import { SecretBox } from "../../../src/platform/secrets/SecretBox.ts"
import { Supervisor } from "../../../src/platform/supervision/Supervisor.ts"
import { mailIn, newestMail } from "./MailJobs.ts"
import { mailServices, mailTasks } from "./MailWorld.ts"
import { sampleMails } from "./SampleMails.ts"

const pause = Schedule.spaced("20 millis")
const real = { excludeTestServices: true, timeout: "60 seconds" } as const

const world = Layer.unwrap(Effect.map(MailServer, (server) => mailServices(server.overrides))).pipe(
  Layer.provideMerge(MailServer.layer)
)

const queue = Mailer.use((mailer) => mailer.queue(sampleMails.ResetPassword))

layer(world, real)("a worker", (it) => {
  it.effect("hands back the mail it is interrupted with", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const { worker } = yield* MailWorker
      yield* server.refuse(() => "silence")
      yield* queue
      const running = yield* Effect.forkChild(worker("test"))
      yield* mailIn("active")
      yield* Effect.repeat(
        Effect.sync(() => server.asked.length),
        { until: (count) => count === 1, schedule: pause }
      )
      yield* Fiber.interrupt(running)
      const row = yield* newestMail
      assert.strictEqual(row.state, "waiting")
      assert.strictEqual(row.attempts, 0)
      assert.property(row.payload, "sealed")
      yield* server.refuse(() => undefined)
      const again = yield* Effect.forkChild(worker("test"))
      yield* server.waitForMailTo("ada@example.com")
      yield* mailIn("completed")
      yield* Fiber.interrupt(again)
      assert.strictEqual(server.received.length, 1)
    })
  )

  it.effect.each([
    { kind: "ResetPassword" },
    { kind: "ResetPassword", sealed: "1.c29tZXRoaW5nIGVsc2UsIHNlYWxlZCB3aXRoIGFub3RoZXIga2V5" },
    "text",
    null
  ])("gives up what it cannot read: %j", (payload) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { worker } = yield* MailWorker
      yield* sql`insert into job (type, payload, max_attempts) values ('email', ${JSON.stringify(payload)}::jsonb, 9)`
      const running = yield* Effect.forkChild(worker("test"))
      const failed = yield* mailIn("failed")
      yield* Fiber.interrupt(running)
      assert.strictEqual(failed.attempts, 1)
      assert.notInclude(failed.everything, "sealed with another key")
    })
  )

  it.effect("gives up a mail of a kind it does not know", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { worker } = yield* MailWorker
      const sealed = (yield* SecretBox).seal(`{"_tag":"Newer","to":"ada@example.com"}`, "mail")
      yield* sql`insert into job (type, payload) values ('email', ${JSON.stringify({ kind: "Newer", sealed })}::jsonb)`
      const running = yield* Effect.forkChild(worker("test"))
      const failed = yield* mailIn("failed")
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(failed.payload, { kind: "Newer" })
    })
  )

  it.effect("takes the contents of mails whose worker died with their last attempt", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { forgetEnded } = yield* MailWorker
      yield* queue
      const { id } = yield* newestMail
      yield* sql`update job set state = 'failed', finished_at = now() where id = ${id}`
      assert.isAtLeast(yield* forgetEnded, 1)
      assert.deepStrictEqual((yield* newestMail).payload, { kind: "ResetPassword" })
    })
  )
})

layer(mailTasks({}), real)("a node without mail", (it) => {
  it.effect("runs no worker, and lets mails wait", () =>
    Effect.gen(function* () {
      const supervisor = yield* Supervisor
      assert.isFalse((yield* Mailer).enabled)
      yield* queue
      assert.strictEqual((yield* newestMail).state, "waiting")
      assert.deepStrictEqual(yield* supervisor.states, [])
    })
  )
})
