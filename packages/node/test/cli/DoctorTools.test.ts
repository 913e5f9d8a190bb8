import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { checkTools } from "../../src/cli/DoctorTools.ts"
import { KinoraConfig, type Overrides } from "../../src/platform/config/Config.ts"
import { narrowFfmpeg } from "../support/NarrowFfmpeg.ts"

const findings = (overrides: Overrides) =>
  checkTools.pipe(
    Effect.provide(
      KinoraConfig.layerTest({ secrets: { peertube: "a secret of the tests, long enough" }, ...overrides }).pipe(
        Layer.provideMerge(NodeServices.layer)
      )
    ),
    Effect.map((found) => found.filter(({ subject }) => subject === "codec"))
  )

it.live("doctor names the oldest ffmpeg that is supported", () =>
  Effect.gen(function* () {
    const all = yield* checkTools.pipe(
      Effect.provide(KinoraConfig.layerTest({}).pipe(Layer.provideMerge(NodeServices.layer)))
    )
    const [ffmpeg] = all.filter(({ subject }) => subject === "ffmpeg")
    assert.match(ffmpeg?.detail ?? "", /^\S+ \(\/.+\); 5\.1 is the oldest that is supported$/)
  })
)

describe("what doctor says of the codec", () => {
  it.live("is nothing where it is made as configured", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* findings({}), [])
      assert.deepStrictEqual(yield* findings({ transcoding: { codec: "av1" } }), [])
    })
  )

  it.live("is what is missing, and what comes instead", () =>
    Effect.gen(function* () {
      const path = yield* narrowFfmpeg("libsvtav1")
      const [missing, ...others] = yield* findings({ ffmpeg: { path }, transcoding: { codec: "av1" } })
      assert.lengthOf(others, 0)
      assert.deepInclude(missing, { level: "warning" })
      assert.match(missing?.detail ?? "", /av1.*libsvtav1.*H\.264/)
      assert.deepStrictEqual(yield* findings({ ffmpeg: { path }, transcoding: { codec: "hevc" } }), [])
      const runners = { codec: "hevc", remote_runners: { enabled: true } }
      const [asked] = yield* findings({ transcoding: runners })
      assert.match(asked?.detail ?? "", /runners are asked for H\.264/)
    }).pipe(Effect.scoped)
  )
})
