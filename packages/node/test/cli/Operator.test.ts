import { createServer } from "node:http"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { dataFolder, runCli } from "./RunCli.ts"

/** Each test makes a database of its own, in milliseconds. */
const slow = 120_000

/** A server that answers what it is told to, on a port of its own. */
const listen = (answer: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const server = createServer((_, response) => response.end(answer))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ port, close: () => server.close() }))
      })
    }),
    (server) => Effect.sync(server.close)
  )

it.layer(NodeServices.layer, { excludeTestServices: true })("an operator", (it) => {
  it.effect(
    "migrates, makes users and changes them over the embedded database",
    () =>
      Effect.gen(function* () {
        const env = { KINORA_DATA_DIR: yield* dataFolder }
        const first = yield* runCli(["migrate"], { env })
        assert.strictEqual(first.code, 0, first.err)
        assert.include(first.out, "The database was brought to this version.")
        assert.include((yield* runCli(["migrate"], { env })).out, "up to date")

        const made = yield* runCli(["users", "create", "ada", "--email", "ada@example.com"], { env })
        assert.strictEqual(made.code, 0, made.err)
        assert.match(made.out, /Password \(shown only now\): [\w-]{22}/)
        const again = yield* runCli(["users", "create", "ada", "--email", "other@example.com"], { env })
        assert.strictEqual(again.code, 1)
        assert.include(again.err, "The name ada is taken")
        const invalid = yield* runCli(["users", "create", "Ada Lovelace", "--email", "x@example.com"], { env })
        assert.strictEqual(invalid.code, 1)

        const reset = yield* runCli(["users", "reset-password", "ada", "--password-stdin"], {
          env,
          stdin: "correct horse\n"
        })
        assert.strictEqual(reset.code, 0, reset.err)
        assert.notInclude(reset.out, "correct horse")
        const nothing = yield* runCli(["users", "reset-password", "ada", "--password-stdin"], { env })
        assert.strictEqual(nothing.code, 1)
        assert.include((yield* runCli(["users", "set-role", "ada", "moderator"], { env })).out, "ada is now moderator")
        const nobody = yield* runCli(["users", "set-role", "nobody", "user"], { env })
        assert.strictEqual(nobody.code, 1)
        assert.include(nobody.err, "not found")
      }),
    slow
  )

  it.effect(
    "is told by doctor that all is well",
    () =>
      Effect.gen(function* () {
        const { port } = yield* listen('"pong"')
        const env = { KINORA_DATA_DIR: yield* dataFolder, KINORA_LISTEN_PORT: String(port) }
        const { code, err, out } = yield* runCli(["doctor"], { env })
        assert.strictEqual(code, 0, out + err)
        for (const subject of ["disk", "database", "ffmpeg", "ffprobe", "port", "public URL"]) {
          assert.match(out, new RegExp(`^(ok|warn) +${subject} `, "m"))
        }
        assert.include(out, "is served by the running instance")
        assert.include(out, "embedded PostgreSQL")
      }),
    slow
  )

  it.effect(
    "is told by doctor what is wrong and what to do",
    () =>
      Effect.gen(function* () {
        const { port } = yield* listen("something else")
        const folder = yield* dataFolder
        const env = {
          KINORA_DATA_DIR: folder,
          KINORA_LISTEN_PORT: String(port),
          KINORA_WEBSERVER_HOSTNAME: "video.invalid",
          KINORA_FFPROBE_PATH: "/nowhere/ffprobe",
          KINORA_UPLOADS_RESERVE_DISK: "5 PB",
          DATABASE_URL: `postgres://a:hunter2@127.0.0.1:${port}/x`
        }
        const { code, err, out } = yield* runCli(["doctor"], { env })
        assert.strictEqual(code, 1)
        assert.match(out, /^FAIL +database .*\n +-> Check DATABASE_URL/m)
        assert.match(out, /^FAIL +ffmpeg .*ffprobe/m)
        assert.match(out, /^FAIL +port .*taken by another program\n +-> /m)
        assert.match(out, /^FAIL +disk .*\n +-> .*make room/m)
        assert.match(out, /^warn +public URL .*is not https/m)
        assert.notInclude(out + err, "hunter2")
        assert.include(err, "checks failed")
      }),
    slow
  )
})
