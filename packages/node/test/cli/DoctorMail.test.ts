import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MailServer } from "../support/MailServer.ts"
import { dataFolder, runCli } from "./RunCli.ts"

/** How the environment of a process says where mail goes. */
const environment = Effect.gen(function* () {
  const { overrides } = yield* MailServer
  return {
    KINORA_DATA_DIR: yield* dataFolder,
    KINORA_SMTP_HOSTNAME: String(overrides.smtp["hostname"]),
    KINORA_SMTP_PORT: String(overrides.smtp["port"]),
    KINORA_SMTP_TLS: "false",
    KINORA_SMTP_FROM_ADDRESS: "kinora@instance.test"
  }
})

it.layer(Layer.merge(NodeServices.layer, MailServer.layer), { excludeTestServices: true })("doctor and mail", (it) => {
  it.effect("sends a test mail and says what the server answered", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const { code, err, out } = yield* runCli(["doctor", "--send-mail", "op@example.com"], { env: yield* environment })
      assert.strictEqual(code, 0, out + err)
      assert.match(out, /^ok +test mail +was taken by 127\.0\.0\.1:\d+ for op@example\.com: 250 /m)
      const mail = yield* server.waitForMailTo("op@example.com")
      assert.strictEqual(mail.subject, "[Kinora] Test mail")
    })
  )

  it.effect("says why a test mail was not taken", () =>
    Effect.gen(function* () {
      const server = yield* MailServer
      const env = yield* environment
      yield* server.refuse(() => ({ code: 550, message: "we do not know you" }))
      const refused = yield* runCli(["doctor", "--send-mail", "op@example.com"], { env })
      yield* server.refuse(() => undefined)
      assert.strictEqual(refused.code, 1)
      assert.match(refused.out, /^FAIL +test mail .*550 we do not know you\n +-> docs\/mail\.md/m)
      const wrong = yield* runCli(["doctor", "--send-mail", "a@example.com, b@example.com"], { env })
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.out, "is not a mail address")
      const nothing = yield* runCli(["doctor", "--send-mail", "op@example.com"], {
        env: { KINORA_DATA_DIR: env.KINORA_DATA_DIR }
      })
      assert.strictEqual(nothing.code, 1)
      assert.include(nothing.out, "mail is not configured")
    })
  )

  it.effect(
    "checks the mail server without sending anything",
    () =>
      Effect.gen(function* () {
        const server = yield* MailServer
        const before = server.asked.length
        const env = yield* environment
        const ready = yield* runCli(["doctor"], { env })
        assert.match(ready.out, /^ok +mail +127\.0\.0\.1:\d+ is ready to take mail$/m)
        assert.strictEqual(server.asked.length, before)
        yield* server.stop
        const { KINORA_SMTP_FROM_ADDRESS: _, ...rest } = env
        const away = yield* runCli(["doctor"], { env: rest })
        yield* server.start
        assert.match(away.out, /^FAIL +mail +127\.0\.0\.1:\d+: .*ECONNREFUSED.*\n +-> docs\/mail\.md/m)
        assert.match(away.out, /^warn +mail +mails come from admin@example\.com\n +-> /m)
        assert.strictEqual(away.code, 1)
      }),
    120_000
  )
})
