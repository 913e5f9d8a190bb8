import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, FileSystem } from "effect"
import { execFileSync } from "node:child_process"
import { askStatus, serveStatus } from "../../src/running/StatusSocket.ts"
import { testConfig } from "../support/TestConfig.ts"

const facts = Effect.succeed({ servers: [], encoder: "libx264", jobs: [] })

it.live("lets one of several work in a storage in which a killed process left its socket", () =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* fs.makeTempDirectoryScoped({ prefix: "kinora-status-" })
    const left = `require("net").createServer().listen("${directory}/status.sock", () => process.kill(process.pid, "SIGKILL"))`
    assert.throws(() => execFileSync(process.execPath, ["-e", left], { stdio: "ignore" }))
    assert.isTrue(yield* fs.exists(`${directory}/status.sock`))
    yield* Effect.gen(function* () {
      const begun = yield* Effect.all(
        [1, 2, 3].map(() => Effect.exit(serveStatus(facts))),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(begun.filter(Exit.isSuccess), 1)
      assert.include(JSON.stringify(begun.find(Exit.isFailure)), "works in this storage already")
      assert.strictEqual((yield* askStatus)?.pid, process.pid)
    }).pipe(Effect.scoped, Effect.provide(testConfig(directory)))
    // And the next, when that one has ended.
    yield* serveStatus(facts).pipe(Effect.scoped, Effect.provide(testConfig(directory)))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
