import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { ask, MailedProgram, want, logIn } from "../support/MailedProgram.ts"
import { MailServer } from "../support/MailServer.ts"
import { rootPassword } from "../support/KinoraProcess.ts"

const recipient = "ada@example.com"

/** Kills the program and starts it again; `meanwhile` comes between. */
const kill = Effect.fnUntraced(function* (meanwhile: Effect.Effect<void> = Effect.void) {
  const node = yield* MailedProgram
  yield* Effect.promise(() => node.stop("SIGKILL"))
  yield* meanwhile
  yield* Effect.promise(() => node.start())
})

/** The mails that have arrived once no mail waits any more. */
const arrived = Effect.fnUntraced(function* (token: string) {
  const server = yield* MailServer
  const waiting = Effect.gen(function* () {
    const states = yield* Effect.forEach(["waiting", "active", "delayed"], (state) =>
      want(200, "GET", `/jobs/${state}`, { token })
    )
    const jobs = states.flatMap(({ json }) => json.data as ReadonlyArray<{ readonly type: string }>)
    return jobs.filter(({ type }) => type.includes("email")).length
  })
  yield* Effect.repeat(waiting, { until: (total) => total === 0, schedule: Schedule.spaced("100 millis") })
  return server.received.filter(({ to }) => to.includes(recipient))
})

layer(MailedProgram.layer({}), { excludeTestServices: true, timeout: 180_000 })("a mail that 204 promised", (it) => {
  it.effect("survives a kill at any moment before the server has it, and goes once", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const token = yield* logIn("root", rootPassword)
      const user = { username: "ada", password: "correct-horse-ada", email: recipient, role: 2 }
      yield* want(200, "POST", "/users", { token, body: { ...user, videoQuota: -1, videoQuotaDaily: -1 } })
      const forgot = want(204, "POST", "/users/ask-reset-password", { body: { email: recipient } })

      // Nobody takes mail at the moment.
      yield* server.stop
      yield* forgot
      yield* kill(server.start)
      const first = yield* server.waitForMailTo(recipient)
      assert.lengthOf(yield* arrived(token), 1)

      // The server has the recipient, and says nothing.
      yield* server.refuse((address) => (address === recipient ? "silence" : undefined))
      const before = server.asked.length
      yield* forgot
      yield* Effect.repeat(
        Effect.sync(() => server.asked.length),
        { until: (asked) => asked > before, schedule: Schedule.spaced("20 millis") }
      )
      yield* kill(server.refuse(() => undefined))
      const mails = yield* Effect.repeat(arrived(token), { until: (all) => all.length > 1 })
      assert.lengthOf(mails, 2)
      assert.notStrictEqual(mails[1]!.raw, first.raw)

      // What the server has taken does not go again.
      yield* kill()
      assert.lengthOf(yield* arrived(token), 2)
      assert.strictEqual((yield* ask("GET", "/ping")).status, 200)
    })
  )
})
