import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"
import { findContradictions } from "../../../src/platform/config/Contradictions.ts"

const problemsOf = (cluster: { readonly enabled: boolean; readonly roles: ReadonlyArray<string> }) =>
  Effect.map(KinoraConfig, (config) =>
    findContradictions(config, new Map([["cluster.roles", { value: cluster.roles, origin: "test" }]])).map(
      ({ problem }) => problem
    )
  ).pipe(Effect.provide(KinoraConfig.layerTest({ cluster })))

describe("roles of a node", () => {
  it.effect("are all when it is the only one, and at least one", () =>
    Effect.gen(function* () {
      const all = ["api", "worker", "ingest"]
      assert.deepStrictEqual(yield* problemsOf({ enabled: false, roles: all }), [])
      assert.deepStrictEqual(yield* problemsOf({ enabled: true, roles: ["api"] }), [])
      assert.deepStrictEqual(yield* problemsOf({ enabled: false, roles: ["api"] }), [
        "nobody does the rest (worker, ingest): set cluster.enabled on each node"
      ])
      assert.deepStrictEqual(yield* problemsOf({ enabled: true, roles: [] }), ["a node without a role does nothing"])
    })
  )
})
