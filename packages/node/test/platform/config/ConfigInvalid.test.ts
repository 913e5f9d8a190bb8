import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ConfigInvalid } from "../../../src/platform/config/ConfigInvalid.ts"
import { configure } from "./Sources.ts"

const refused = (env: Record<string, string>, yaml?: string) =>
  Effect.map(Effect.flip(configure(env, yaml)), (error) => error as ConfigInvalid)

it.layer(NodeServices.layer)("ConfigInvalid", (it) => {
  it.effect("reads quantities within records as it does alone", () =>
    Effect.gen(function* () {
      const strategies = (size: string, lifetime: string) =>
        `redundancy:\n  videos:\n    strategies:\n      - { size: ${size}, min_lifetime: ${lifetime}, strategy: trending }\n`
      const { config } = yield* configure({}, strategies("10GB", "2 days"))
      assert.strictEqual(config.redundancy.videos.strategies?.[0]?.size, "10GB")
      for (const [size, lifetime, why] of [
        ["much", "2 days", /much/],
        ["10GB", "2 parsecs", /parsecs/]
      ] as const) {
        const [problem] = (yield* refused({}, strategies(size, lifetime))).problems
        assert.strictEqual(problem?.path, "redundancy.videos.strategies")
        assert.match(problem.problem, why)
      }
    })
  )

  it.effect("reports every wrong key of every source at once", () =>
    Effect.gen(function* () {
      const error = yield* refused(
        { KINORA_LISTEN_PORT: "70000", KINORA_LOG_LEVEL: "loud" },
        [
          "rates_limit:",
          "  api:",
          "    window: 10 parsecs",
          "    max: 0",
          "webserver:",
          "  https: maybe",
          "trust_proxy:",
          "  - loopback",
          "  - not a network",
          "database:",
          "  password: [do-not-show]",
          "csp: 1",
          "import:",
          "  videos:",
          "    concurrency:",
          ""
        ].join("\n")
      )
      assert.strictEqual(error._tag, "ConfigInvalid")
      const seen = Object.fromEntries(error.problems.map((problem) => [problem.path, problem]))
      assert.deepStrictEqual(Object.keys(seen).toSorted(), [
        "csp",
        "database.password",
        "import.videos.concurrency",
        "listen.port",
        "log.level",
        "rates_limit.api.max",
        "rates_limit.api.window",
        "trust_proxy",
        "webserver.https"
      ])
      assert.strictEqual(seen["listen.port"]?.origin, "environment, KINORA_LISTEN_PORT")
      assert.strictEqual(seen["listen.port"]?.problem, "70000 is too large")
      assert.strictEqual(seen["listen.port"]?.accepts, "a whole number from 1 to 65535")
      assert.match(seen["rates_limit.api.window"]?.origin ?? "", /kinora\.yaml:3$/)
      assert.include(seen["rates_limit.api.window"]?.problem, "parsecs")
      assert.include(seen["trust_proxy"]?.problem, "element 2")
      assert.include(seen["log.level"]?.accepts, "trace, debug, info, warn, error")
      assert.notInclude(error.message, "do-not-show")
      for (const path of Object.keys(seen)) assert.include(error.message, path)
      assert.match(error.message, /^9 settings of the configuration cannot be used:/)
    })
  )

  it.effect("tells where YAML cannot be read", () =>
    Effect.gen(function* () {
      const error = yield* refused({}, "listen:\n  port: 1\n  port: 2\n")
      assert.match(error.problems[0]?.origin ?? "", /kinora\.yaml:3$/)
      const broken = yield* refused({}, "listen: [1, 2\n")
      assert.strictEqual(broken.problems[0]?.path, "the file")
    })
  )

  it.effect("refuses a named file that is not there", () =>
    Effect.gen(function* () {
      const error = yield* refused({ KINORA_CONFIG: "/nowhere/kinora.yaml" })
      assert.strictEqual(error.problems[0]?.origin, "/nowhere/kinora.yaml")
    })
  )
})
