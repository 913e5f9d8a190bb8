import { assert, layer } from "@effect/vitest"
import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Deferred, Effect, Fiber } from "effect"
import { transcodingType } from "../../../src/video/process/ProcessingJobs.ts"
import { StepObserver } from "../../../src/video/process/Steps.ts"
import { TranscodeVideo } from "../../../src/video/process/TranscodeVideo.ts"
import { WorkerPool } from "../../../src/video/process/WorkerPool.ts"
import { bearer, login, send } from "../../instance/about/Client.ts"
import { rootPassword } from "../../instance/about/TestNode.ts"
import { filesAfterRemovals, upload, workOff } from "../process/Pipeline.ts"
import { plainClip } from "../upload/Clips.ts"
import { filesLeft, newUser } from "../upload/UploadNode.ts"
import { sourceNode } from "./SourceNode.ts"

layer(sourceNode({}), { excludeTestServices: true, timeout: 120_000 })("an encode that is given up by force", (it) => {
  it.effect(
    "stops at once, and what it had stored goes",
    () =>
      Effect.gen(function* () {
        const owner = yield* newUser("hasty")
        const video = yield* upload(owner, plainClip())
        yield* workOff
        yield* filesAfterRemovals
        const before = yield* filesLeft
        const token = (yield* login("root", rootPassword)).access_token
        const order = send(`/api/v1/videos/${video.uuid}/transcoding`, {
          method: "POST",
          headers: { ...bearer(token).headers, "content-type": "application/json" },
          body: JSON.stringify({ transcodingType: "hls", forceTranscoding: true })
        })
        assert.strictEqual((yield* order).status, 204)
        const stored = yield* Deferred.make<void>()
        const stopped = yield* Deferred.make<void>()
        const observer = (step: string) =>
          step === "transcode:stored"
            ? Effect.onInterrupt(Effect.andThen(Deferred.succeed(stored, undefined), Effect.never), () =>
                Deferred.succeed(stopped, undefined)
              )
            : Effect.void
        const pool = yield* WorkerPool
        const transcode = yield* TranscodeVideo
        const workers = Effect.raceFirst(pool.listen, pool.worker([transcodingType], transcode.run))
        const working = yield* Effect.forkScoped(Effect.provideService(workers, StepObserver, observer))
        yield* Deferred.await(stored)
        assert.isAbove((yield* filesLeft).length, before.length)
        assert.strictEqual((yield* order).status, 204)
        // Without the notice it would be the next report, 15 seconds later.
        yield* Effect.timeout(Deferred.await(stopped), "8 seconds")
        yield* Fiber.interrupt(working)
        while ((yield* (yield* Removals).execute(100)) > 0);
        assert.deepStrictEqual(yield* filesLeft, before)
      }).pipe(Effect.scoped),
    60_000
  )
})
