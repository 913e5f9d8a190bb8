import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { KinoraConfig, type Overrides } from "../../../src/platform/config/Config.ts"
import { type Letter, MailTransport } from "../../../src/platform/mail/Transport.ts"
import { testCertificate, testKey } from "./TestCertificate.ts"

const letter: Letter = { to: "ada@example.com", subject: "Hello", text: "Hello\n", html: "<p>Hello</p>", id: "id-1" }

/** A server that takes everything, and the facts of what came: how secure the connection was and who logged in. */
const listen = (options: SMTPServerOptions) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly got: Array<string>; readonly close: () => void }>((resume) => {
      const got: Array<string> = []
      const server = new SMTPServer({
        disableReverseLookup: true,
        closeTimeout: 100,
        logger: false,
        onAuth: ({ password, username }, _, done) =>
          password === "right" ? done(null, { user: username }) : done(new Error("Invalid login")),
        onData: (stream, session, done) => {
          stream.resume()
          stream.once("end", () => {
            got.push(`${session.secure ? "encrypted" : "plain"} ${session.user || "nobody"}`)
            done()
          })
        },
        ...options
      })
      // Handshakes that the client breaks off.
      server.on("error", () => undefined)
      const listener = server.listen(0, "127.0.0.1", () => {
        const address = listener.address()
        const port = address !== null && typeof address === "object" ? address.port : 0
        resume(Effect.succeed({ port, got, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** Runs something with the transport of this configuration. */
const transport = <A, E>(
  smtp: Overrides,
  use: (transport: MailTransport["Service"]) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  MailTransport.use(use).pipe(
    Effect.provide(
      MailTransport.layer.pipe(
        Layer.provide(KinoraConfig.layerTest({ smtp: { hostname: "127.0.0.1", ...smtp } })),
        Layer.provide(NodeServices.layer)
      )
    )
  )

const sendWith = (smtp: Overrides) => transport(smtp, (it) => it.send(letter))
const verifyWith = (smtp: Overrides) => transport(smtp, (it) => it.verify)

const tls = { key: testKey, cert: testCertificate }

const certificateFile = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const file = `${yield* fs.makeTempDirectoryScoped({ prefix: "kinora-mail-" })}/ca.pem`
  yield* fs.writeFileString(file, testCertificate)
  return file
})

/** A program that stands for sendmail: keeps its arguments and its input, and ends with this code. */
const program = Effect.fnUntraced(function* (code: number) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-sendmail-" })
  const path = `${folder}/sendmail`
  yield* fs.writeFileString(
    path,
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${folder}/arguments\ncat > ${folder}/input\nexit ${code}\n`
  )
  yield* fs.chmod(path, 0o755)
  return { smtp: { transport: "sendmail", sendmail: path, from_address: "kinora@instance.test" }, folder }
})

it.layer(NodeServices.layer, { excludeTestServices: true })("mail transport", (it) => {
  it.effect("logs in over TLS with a certificate authority of one's own", () =>
    Effect.gen(function* () {
      const { got, port } = yield* listen({ secure: true, ...tls })
      const smtp = { port, ca_file: yield* certificateFile, username: "kinora", password: "right" }
      yield* verifyWith(smtp)
      yield* sendWith(smtp)
      assert.deepStrictEqual(got, ["encrypted kinora"])
    })
  )

  it.effect("sends nothing to a server whose certificate is not to be trusted", () =>
    Effect.gen(function* () {
      const { got, port } = yield* listen({ secure: true, ...tls })
      const refused = yield* Effect.flip(sendWith({ port }))
      assert.match(refused.message, /self[- ]signed/)
      assert.isFalse(refused.permanent)
      const upgraded = yield* listen({ ...tls })
      const alsoRefused = yield* Effect.flip(sendWith({ port: upgraded.port, tls: false }))
      assert.match(alsoRefused.message, /self[- ]signed/)
      assert.deepStrictEqual([...got, ...upgraded.got], [])
    })
  )

  it.effect("turns to TLS when the server offers it, unless it is told not to", () =>
    Effect.gen(function* () {
      const { got, port } = yield* listen({ authOptional: true, ...tls })
      const ca_file = yield* certificateFile
      yield* sendWith({ port, tls: false, ca_file })
      yield* sendWith({ port, tls: false, disable_starttls: true })
      assert.deepStrictEqual(got, ["encrypted nobody", "plain nobody"])
    })
  )

  it.effect("says in words that a server begins without TLS", () =>
    Effect.gen(function* () {
      const { got, port } = yield* listen({ disabledCommands: ["AUTH"] })
      for (const attempt of [sendWith({ port, tls: true }), verifyWith({ port, tls: true })]) {
        const { message, permanent } = yield* Effect.flip(attempt)
        assert.include(message, "without TLS on this port")
        assert.isFalse(permanent)
      }
      assert.deepStrictEqual(got, [])
    })
  )

  it.effect("lets mail wait when the login is refused or a file is missing, and names no password", () =>
    Effect.gen(function* () {
      const { got, port } = yield* listen({
        allowInsecureAuth: true,
        hideSTARTTLS: true,
        disabledCommands: ["STARTTLS"]
      })
      const smtp = { port, tls: false, username: "kinora", password: "hunter2" }
      for (const attempt of [sendWith(smtp), verifyWith(smtp)]) {
        const refused = yield* Effect.flip(attempt)
        assert.include(refused.message, "Invalid login")
        assert.isFalse(refused.permanent)
        assert.notInclude(refused.message, "hunter2")
      }
      const missing = yield* Effect.flip(sendWith({ port, ca_file: "/nowhere/ca.pem" }))
      assert.include(missing.message, "/nowhere/ca.pem")
      assert.isFalse(missing.permanent)
      assert.deepStrictEqual(got, [])
    })
  )

  it.effect("gives the sendmail program the mail, one recipient and the sender", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { folder, smtp } = yield* program(0)
      yield* verifyWith(smtp)
      yield* sendWith(smtp)
      assert.strictEqual(
        yield* fs.readFileString(`${folder}/arguments`),
        "-i\n-f\nkinora@instance.test\nada@example.com\n"
      )
      const input = yield* fs.readFileString(`${folder}/input`)
      assert.match(input, /^Subject: Hello$/m)
      assert.match(input, /^Content-Type: multipart\/alternative;/m)
      assert.notInclude(input, "\r")
    })
  )

  it.effect.each([
    [67, true],
    [75, false],
    [1, false]
  ] as const)("takes exit code %i of sendmail as final: %s", ([code, permanent]) =>
    Effect.gen(function* () {
      const { smtp } = yield* program(code)
      const failed = yield* Effect.flip(sendWith(smtp))
      assert.strictEqual(failed.permanent, permanent)
      assert.include(failed.message, String(code))
    })
  )

  it.effect("says that the sendmail program is not there", () =>
    Effect.gen(function* () {
      const smtp = { transport: "sendmail", sendmail: "/nowhere/sendmail" }
      for (const attempt of [sendWith(smtp), verifyWith(smtp)]) {
        const failed = yield* Effect.flip(attempt)
        assert.isFalse(failed.permanent)
        assert.include(failed.message, "/nowhere/sendmail")
      }
    })
  )

  it.effect("refuses to send when nothing is configured", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(sendWith({ hostname: null }))
      assert.include(failed.message, "not configured")
    })
  )
})
