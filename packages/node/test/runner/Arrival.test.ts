import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync } from "node:fs"
import { RunnerJobs } from "../../src/runner/job/RunnerJobs.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { plainClip } from "../video/upload/Clips.ts"
import { fieldParts, formBody, formType } from "../video/upload/Form.ts"
import { peopledNode } from "../video/list/People.ts"
import { resultFile } from "./Encoder.ts"
import { accept, addJob, post, runner, stateOf } from "./Runners.ts"

/** Sends a body of which the last half waits; gives the status of the answer. */
const halting = async (address: string, bytes: Buffer, rest: Promise<void>): Promise<number> => {
  const half = Math.floor(bytes.length / 2)
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      controller.enqueue(new Uint8Array(bytes.subarray(0, half)))
      await rest
      controller.enqueue(new Uint8Array(bytes.subarray(half)))
      controller.close()
    }
  })
  const answer = await fetch(address, {
    method: "POST",
    headers: { "content-type": formType },
    body,
    duplex: "half"
  })
  return answer.status
}

/** Hands a result in, of which the last half waits. */
const handIn = Effect.fnUntraced(function* (
  uuid: string,
  tokens: { readonly runnerToken: string; readonly jobToken: string },
  rest: Promise<void>
) {
  const address = `${yield* baseUrl}/api/v1/runners/jobs/${uuid}/success`
  const film = resultFile("videoFile", readFileSync(plainClip()))
  return yield* Effect.promise(() => halting(address, formBody([...fieldParts({ ...tokens }), film]), rest))
})

layer(peopledNode, { excludeTestServices: true, timeout: 60_000 })("A result that arrives slowly", (it) => {
  const begun = Effect.fnUntraced(function* () {
    const sql = yield* SqlClient
    const { runnerToken } = yield* runner()
    const { uuid } = yield* addJob({ type: "vod-web-video-transcoding" })
    const tokens = yield* accept(uuid, runnerToken)
    // Its runner has been silent since it began, and nobody has looked yet.
    yield* sql`
      update runner_job set lease_until = now() - interval '1 second', updated_at = now() - interval '1 minute'
      where uuid = ${uuid}::uuid`
    const rest = Promise.withResolvers<void>()
    const answer = yield* Effect.forkScoped(handIn(uuid, tokens, rest.promise))
    yield* sql<{ held: boolean }>`select lease_until > now() as held from runner_job where uuid = ${uuid}::uuid`.pipe(
      Effect.repeat({
        until: (rows) => rows[0]!.held,
        schedule: Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(250)])
      }),
      Effect.tap((rows) => Effect.sync(() => assert.isTrue(rows[0]!.held, "the lease is renewed")))
    )
    return { uuid, tokens, goOn: Effect.sync(() => rest.resolve()), answer }
  })

  it.effect("is a sign of life: the job is not taken from its runner meanwhile", () =>
    Effect.gen(function* () {
      const { answer, goOn, uuid } = yield* begun()
      yield* (yield* RunnerJobs).takeBack
      assert.strictEqual(yield* stateOf(uuid), 2)
      yield* goOn
      assert.strictEqual(yield* Fiber.join(answer), 204)
      assert.strictEqual(yield* stateOf(uuid), 3)
    }).pipe(Effect.scoped)
  )

  it.effect("is not kept when the job was given back meanwhile", () =>
    Effect.gen(function* () {
      const { answer, goOn, tokens, uuid } = yield* begun()
      assert.strictEqual((yield* post(`/jobs/${uuid}/abort`, { ...tokens, reason: "enough" })).status, 204)
      yield* goOn
      assert.strictEqual(yield* Fiber.join(answer), 400)
      assert.strictEqual(yield* stateOf(uuid), 1)
    }).pipe(Effect.scoped)
  )
})
