import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { withoutPaths } from "@kinora/media/work/FailureCause"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, FileSystem, Layer } from "effect"
import { JobRun } from "../../src/running/JobRun.ts"
import { RunningJobs } from "../../src/running/RunningJobs.ts"
import { CustomUpload } from "../../src/server/CustomUpload.ts"
import { RunnerServer } from "../../src/server/RunnerServer.ts"
import { JobWork } from "../../src/work/JobWork.ts"
import { CannotWork, WorkFailed } from "../../src/work/WorkErrors.ts"
import { WorkFolders } from "../../src/work/WorkFolders.ts"
import { json, type Received, serve } from "../server/Protocol.ts"
import { testConfig } from "../support/TestConfig.ts"

const uuid = "2732f206-0539-45af-a82b-66098d1bc26b"
const jobAt = (origin: string) => ({
  ...{ origin, uuid, runnerToken: "ptrt-1", jobToken: "ptrjt-1" },
  ...{ type: "vod-hls-transcoding", payload: {} }
})

const noted = (_: Received, response: import("node:http").ServerResponse) => void response.writeHead(204).end()

const said = (received: ReadonlyArray<Received>) =>
  received.map(({ body, path }) => {
    const { message, reason } = JSON.parse(body.toString()) as { message?: string; reason?: string }
    return [path.slice(path.lastIndexOf("/") + 1), message ?? reason]
  })

/** Runs a job whose work is given, and tells what is left on the disk. */
const running = <A, E>(
  work: JobWork["Service"]["make"],
  use: (run: JobRun["Service"]["run"], left: Effect.Effect<ReadonlyArray<string>>) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const directory = yield* fs.makeTempDirectoryScoped()
    const config = testConfig(directory)
    const services = JobRun.layer.pipe(
      Layer.provide([
        Layer.succeed(JobWork)({ make: work }),
        WorkFolders.layer,
        RunningJobs.layer,
        RunnerServer.layer,
        CustomUpload.layer
      ]),
      Layer.provide([config, NodeHttpClient.layerNodeHttp])
    )
    return yield* Effect.flatMap(JobRun, (it) => use(it.run, Effect.orDie(fs.readDirectory(`${directory}/work`)))).pipe(
      Effect.provide(services)
    )
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

it.live("stops the work at once when the job is another's, and says no more", () =>
  Effect.gen(function* () {
    const { origin, received } = yield* serve(json(404, { detail: "Runner job not found" }))
    const stopped = yield* Deferred.make<void>()
    const work = () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
    yield* running(work, (run, left) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* run(jobAt(origin)), "lost")
        yield* Deferred.await(stopped)
        assert.deepStrictEqual(yield* left, [])
      })
    )
    assert.deepStrictEqual(
      said(received).map(([verb]) => verb),
      ["update"]
    )
  }).pipe(Effect.scoped)
)

it.live("tells what went wrong, and gives back what is the machine's fault", () =>
  Effect.gen(function* () {
    const failing = yield* serve(noted, noted)
    const work = () => Effect.fail(new WorkFailed({ message: "Invalid data" }))
    assert.strictEqual(yield* running(work, (run) => run(jobAt(failing.origin))), "failed")
    assert.deepStrictEqual(said(failing.received).at(-1), ["error", "Invalid data"])

    const full = yield* serve(noted, noted)
    const needy: JobWork["Service"]["make"] = (_, folder) => Effect.as(folder.reserve("source", 1001), [])
    assert.strictEqual(yield* running(needy, (run) => run(jobAt(full.origin))), "given back")
    assert.deepStrictEqual(said(full.received).at(-1), [
      "abort",
      "There is not enough free space for an input of 1001 bytes"
    ])

    const faulty = yield* serve(noted, noted)
    const fault = () => Effect.die(new Error("a fault"))
    assert.strictEqual(yield* running(fault, (run) => run(jobAt(faulty.origin))), "given back")
    assert.strictEqual(said(faulty.received).at(-1)?.[0], "abort")
  }).pipe(Effect.scoped)
)

it.live("gives the job back when it is stopped, and does not wait for a server that is silent", () =>
  Effect.gen(function* () {
    const begun = yield* Deferred.make<void>()
    const silent = () => undefined
    const { origin, received } = yield* serve(silent, silent)
    const work = () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
    yield* running(work, (run, left) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(run(jobAt(origin)))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber).pipe(Effect.timeout("20 seconds"))
        assert.deepStrictEqual(yield* left, [])
      })
    )
    assert.deepStrictEqual(said(received).at(-1), ["abort", "The runner is stopped"])
  }).pipe(Effect.scoped)
)

it.effect("takes the paths of the machine out of a tool's words", () =>
  Effect.sync(() => {
    assert.strictEqual(
      withoutPaths("[in#0] file:/var/lib/x/work/1/source: Invalid data"),
      "[in#0] source: Invalid data"
    )
    assert.strictEqual(new CannotWork({ message: withoutPaths("/usr/bin/ffmpeg: gone") }).message, "ffmpeg: gone")
  })
)
