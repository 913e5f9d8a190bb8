import { HardwareEncoders } from "@kinora/media/hardware/HardwareEncoders"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Encoders, encoderLabel } from "../../src/work/Encoders.ts"
import { WorkFailed } from "../../src/work/WorkErrors.ts"
import { testConfig } from "../support/TestConfig.ts"

const device = "/dev/dri/renderD129"

const services = (hardware: "off" | "auto") => {
  const asked: Array<unknown> = []
  const trials = [
    { encoder: { name: "h264_nvenc" as const }, works: false, words: "No capable devices found" },
    { encoder: { name: "h264_vaapi" as const, device }, works: true, words: "" },
    { encoder: { name: "h264_amf" as const }, works: true, words: "" }
  ]
  const found = Layer.succeed(HardwareEncoders)({
    search: (options) =>
      Effect.as(
        Effect.sync(() => asked.push(options)),
        trials
      )
  })
  return {
    asked,
    layer: Encoders.layer.pipe(Layer.provide([found, testConfig("/nowhere", { hardware, device })]))
  }
}

it.effect("uses the first that works, and software when it failed three jobs in a row", () => {
  const { asked, layer } = services("auto")
  return Effect.gen(function* () {
    const encoders = yield* Encoders
    yield* encoders.find
    assert.deepStrictEqual(asked, [{ codec: "h264", kinds: ["vaapi", "qsv", "nvenc", "amf"], device }])
    assert.strictEqual(encoderLabel(yield* encoders.current), `h264_vaapi (${device})`)
    assert.strictEqual((yield* encoders.trials).length, 3)

    const tried: Array<string> = []
    const failing = new Set(["silicon"])
    const job = encoders.encode((encoder) =>
      Effect.suspend(() => {
        const by = encoder === undefined ? "software" : "silicon"
        tried.push(by)
        return failing.has(by) ? Effect.fail(new WorkFailed({ message: by })) : Effect.succeed(by)
      })
    )
    assert.strictEqual(yield* job, "software")
    assert.strictEqual(yield* job, "software")
    // One that it does well is a new beginning.
    failing.clear()
    assert.strictEqual(yield* job, "silicon")
    // What software fails at too is the file's fault.
    failing.add("silicon").add("software")
    assert.strictEqual((yield* Effect.flip(job)).message, "software")
    failing.delete("software")
    for (let n = 0; n < 3; n++) yield* job
    tried.length = 0
    assert.strictEqual(yield* job, "software")
    assert.deepStrictEqual(tried, ["software"])
    assert.strictEqual(encoderLabel(yield* encoders.current), "libx264")
  }).pipe(Effect.provide(layer))
})

it.effect("tries nothing unless it is told to", () => {
  const { asked, layer } = services("off")
  return Effect.gen(function* () {
    const encoders = yield* Encoders
    yield* encoders.find
    assert.deepStrictEqual(asked, [])
    assert.strictEqual(encoderLabel(yield* encoders.current), "libx264")
  }).pipe(Effect.provide(layer))
})
