import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerServe } from "../../src/platform/http/HttpServerLayer.ts"
import { RunnerRegistration } from "../../src/runner/registration/RunnerRegistration.ts"
import { testOptions, testRoutes, testServices } from "../instance/about/TestNode.ts"
import { People } from "../video/list/People.ts"
import { manage, post } from "./Runners.ts"

const node = People.layer.pipe(
  Layer.provideMerge(layerServe(testRoutes, testOptions)),
  Layer.provideMerge(testServices())
)

layer(node, { excludeTestServices: true, timeout: 60_000 })("The registration token of a fresh instance", (it) => {
  it.effect("is there once, however often nodes start, and runners register with it", () =>
    Effect.gen(function* () {
      const { first } = yield* RunnerRegistration
      yield* Effect.all([first, first, first], { concurrency: "unbounded" })
      const { json } = yield* manage("GET", "/registration-tokens")
      assert.strictEqual(json.total, 1)
      const registrationToken = json.data[0].registrationToken
      assert.match(registrationToken, /^ptrrt-/)
      assert.strictEqual((yield* post("/register", { name: "first", registrationToken })).status, 200)
      yield* first
      assert.strictEqual((yield* manage("GET", "/registration-tokens")).json.total, 1)
    })
  )
})
