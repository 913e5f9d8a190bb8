import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Scope } from "effect"
import { lockFolder } from "../../../src/platform/folders/FolderLock.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-lock-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const started = async (pid: number) => {
  const text = await readFile(`/proc/${pid}/stat`, "utf8")
  return text.slice(text.lastIndexOf(")") + 2).split(" ")[19]
}

/** A process that lives until the scope closes, as the owner of a lock names it. */
const process_ = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })
    await once(child, "spawn")
    return { child, owner: { host: hostname(), pid: child.pid!, startedAt: await started(child.pid!) } }
  }),
  ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
)

const hold = (path: string, owner: object) =>
  Effect.promise(() => writeFile(join(path, "node.lock"), JSON.stringify(owner)))

describe("the lock of a folder", () => {
  it.live("is held by one at a time, and free again afterwards", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const scope = yield* Scope.make()
      yield* Scope.provide(lockFolder(path), scope)
      const second = yield* Effect.flip(lockFolder(path))
      assert.include(
        second.message,
        `The folder ${path} belongs to a Kinora that runs already (process ${process.pid})`
      )
      yield* Scope.close(scope, Exit.void)
      yield* lockFolder(path)
    }).pipe(Effect.scoped)
  )

  it.live("is refused while its owner lives, and taken over when it was killed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { child, owner } = yield* process_
      yield* hold(path, owner)
      const refused = yield* Effect.flip(lockFolder(path))
      assert.include(refused.message, `process ${owner.pid}`)
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      yield* Effect.promise(() => ended)
      yield* lockFolder(path)
    }).pipe(Effect.scoped)
  )

  it.live("is taken over from a process whose id another one has now", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { owner } = yield* process_
      yield* hold(path, { ...owner, startedAt: "1" })
      yield* lockFolder(path)
    }).pipe(Effect.scoped)
  )

  it.live("of another machine, or an unreadable one, is taken over when it has been silent", () =>
    Effect.gen(function* () {
      for (const content of ['{"host":"elsewhere.example","pid":1,"startedAt":"1"}', ""]) {
        const path = yield* folder
        const file = join(path, "node.lock")
        yield* Effect.promise(() => writeFile(file, content))
        const silentSince = (yield* Clock.currentTimeMillis) / 1000 - 19
        yield* Effect.promise(() => utimes(file, silentSince, silentSince))
        yield* lockFolder(path)
        assert.include(yield* Effect.promise(() => readFile(file, "utf8")), `"pid":${process.pid}`)
      }
    }).pipe(Effect.scoped)
  )

  it.live("goes to one of many that find it abandoned", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* hold(path, { host: hostname(), pid: 1, startedAt: "never" })
      const outcomes = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.exit(lockFolder(path))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(Exit.isSuccess).length, 1)
    }).pipe(Effect.scoped)
  )
})
