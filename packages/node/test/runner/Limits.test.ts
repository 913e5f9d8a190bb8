import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerServe } from "../../src/platform/http/HttpServerLayer.ts"
import { RunnerExemption } from "../../src/runner/registration/RunnerExemption.ts"
import { testOptions, testRoutes, testServices } from "../instance/about/TestNode.ts"
import { send } from "../instance/about/Client.ts"
import { People } from "../video/list/People.ts"
import { accept, addJob, post, runner } from "./Runners.ts"

const max = 40

const limited = Layer.unwrap(
  Effect.map(RunnerExemption, ({ isExempt }) =>
    layerServe(testRoutes, {
      ...testOptions,
      rateLimits: { api: { max, windowMillis: 600_000 } },
      rateLimitExempt: isExempt
    })
  )
)

const node = People.layer.pipe(Layer.provideMerge(limited), Layer.provideMerge(testServices()))

/** A form as it goes over the wire. */
const encoded = (form: FormData) =>
  Effect.promise(async () => {
    const request = new Request("http://localhost", { method: "POST", body: form })
    const boundary = /boundary=(.+)$/.exec(request.headers.get("content-type") ?? "")?.[1] ?? ""
    return { boundary, content: new Uint8Array(await request.arrayBuffer()) }
  })

const via = (address: string) => ({ "x-forwarded-for": address })
const times = (count: number) => Array.from({ length: count }, (_, n) => n)

layer(node, { excludeTestServices: true, timeout: 60_000 })("Limits of runners", (it) => {
  it.effect("what a runner asks is not counted, and wrong tokens are", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const { uuid } = yield* addJob()
      const { jobToken } = yield* accept(uuid, runnerToken)
      const quiet = via("203.0.113.1")
      const update = () => post(`/jobs/${uuid}/update`, { runnerToken, jobToken, progress: 1 }, quiet)
      const served = yield* Effect.forEach(times(max + 20), update, { concurrency: 10 })
      assert.isTrue(served.every(({ status }) => status === 204))
      // Neither are refusals of those whose token is good.
      const late = yield* Effect.forEach(times(max), () => post(`/jobs/${uuid}/accept`, { runnerToken }, quiet))
      assert.isTrue(late.every(({ status }) => status === 409))
      assert.strictEqual(
        (yield* post("/jobs/request", { runnerToken }, quiet)).headers.get("x-ratelimit-remaining"),
        "39"
      )

      const loud = via("203.0.113.2")
      const guess = (n: number) => post("/jobs/request", { runnerToken: `ptrt-${n}` }, loud)
      const guesses = yield* Effect.forEach(times(max), guess)
      assert.isTrue(guesses.every(({ status }) => status === 404))
      const last = yield* guess(-1)
      assert.strictEqual(last.status, 429)
      assert.isNotNull(last.headers.get("retry-after"))
      assert.strictEqual((yield* post("/jobs/request", {}, loud)).status, 429)
      assert.strictEqual((yield* post("/register", { name: "x" }, loud)).status, 429)

      // A good token is no way to guess others with what is not a runner's to ask.
      for (const path of ["/register", "/registration-tokens/generate", `/jobs/${uuid}/cancel`]) {
        const refused = yield* post(path, { runnerToken, registrationToken: "ptrrt-guess", name: "x" }, loud)
        assert.strictEqual(refused.status, 429, path)
      }

      // A runner behind the same address is let through all the same, and its body is read once more.
      const shared = yield* post("/jobs/request", { runnerToken }, loud)
      assert.deepStrictEqual([shared.status, shared.json], [200, { availableJobs: [] }])
      const held = yield* post(`/jobs/${uuid}/update`, { runnerToken, jobToken, progress: 2 }, loud)
      assert.strictEqual(held.status, 204)

      // So is its result, whose tokens arrive with the files; a job that nobody works on opens no door.
      const form = new FormData()
      form.set("runnerToken", runnerToken)
      form.set("jobToken", jobToken)
      const { boundary, content } = yield* encoded(form)
      const sent = (job: string) =>
        send(`/api/v1/runners/jobs/${job}/update`, {
          method: "POST",
          headers: { ...loud, "content-type": `multipart/form-data; boundary=${boundary}` },
          body: content
        })
      assert.strictEqual((yield* sent(uuid)).status, 204)
      assert.strictEqual((yield* sent((yield* addJob()).uuid)).status, 429)
    })
  )
})
