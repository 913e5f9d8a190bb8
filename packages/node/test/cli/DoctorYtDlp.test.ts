import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { offeredPowers } from "../../../media/test/support/Offered.ts"
import { checkYtDlp } from "../../src/cli/DoctorYtDlp.ts"
import { KinoraConfig, type Overrides } from "../../src/platform/config/Config.ts"

const findings = (overrides: Overrides) =>
  checkYtDlp.pipe(
    Effect.provide(
      KinoraConfig.layerTest({ secrets: { peertube: "a secret of the tests, long enough" }, ...overrides }).pipe(
        Layer.provideMerge(NodeServices.layer)
      )
    )
  )

const imports = { videos: { http: { enabled: true } } }

describe("what doctor says of yt-dlp", () => {
  it.live("is nothing where nobody may import from addresses", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* findings({}), [])
    })
  )

  it.live(
    "is whether it can be run, and how far it is confined",
    () =>
      Effect.gen(function* () {
        const [found] = yield* findings({ import: imports })
        const { files, network } = offeredPowers()
        assert.deepInclude(found, { level: files && network ? "good" : "warning", subject: "yt-dlp" })
        assert.match(found?.detail ?? "", /^\d{4}\.\d\d\.\d\d \(\/.*(?:confined|can (?:reach|read))/)
        const [missing] = yield* findings({ import: imports, ytdlp: { path: "/nowhere/yt-dlp" } })
        assert.deepInclude(missing, { level: "warning" })
        assert.include(missing?.detail, "/nowhere/yt-dlp was not found")
        const [other] = yield* findings({ import: imports, ytdlp: { path: "/bin/true" } })
        assert.include(other?.detail, "could not be run, or is not yt-dlp")
      }),
    60_000
  )
})
