import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { Rendition } from "../../src/ladder/Rendition.ts"
import { Programs } from "../../src/tools/Programs.ts"
import { Tools } from "../../src/tools/Tools.ts"
import { addressSpace, hardwareArguments } from "../../src/transcode/HardwareArguments.ts"
import type { HardwareEncoderName } from "../../src/transcode/VideoEncoder.ts"

const names: ReadonlyArray<HardwareEncoderName> = [
  ...(["h264_vaapi", "hevc_vaapi", "av1_vaapi", "vp9_vaapi", "h264_qsv", "hevc_qsv", "av1_qsv", "vp9_qsv"] as const),
  ...(["h264_nvenc", "hevc_nvenc", "av1_nvenc", "h264_amf", "hevc_amf", "av1_amf"] as const)
]

const rendition: Rendition = {
  ...{ resolution: 720, width: 1280, height: 720, frameRate: { text: "30", value: 30 }, keyframeEvery: 120 },
  ...{ codec: "h264", crf: 22, maxRate: 4_500_000, bufferSize: 9_000_000, hasVideo: true }
}

/** Options that ffmpeg has for every encoder. */
const general = new Set([
  ...["-c:v", "-profile:v", "-pix_fmt", "-bf", "-b:v", "-maxrate", "-bufsize", "-g", "-force_key_frames", "-tag:v"]
])

it.live("says nothing that an encoder does not know", () =>
  Effect.gen(function* () {
    const tools = yield* Tools
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const ffmpeg = yield* tools.path("ffmpeg")
    const built = names.filter((name) => tools.report.features.encoders.has(name))
    for (const name of built) {
      const help = yield* spawner.string(ChildProcess.make(ffmpeg, ["-hide_banner", "-h", `encoder=${name}`]))
      const args = hardwareArguments(rendition, name)
      assert.strictEqual(args.length % 2, 0, name)
      for (let index = 0; index < args.length; index += 2) {
        const [option = "", value = ""] = args.slice(index, index + 2)
        if (general.has(option)) continue
        const found = new RegExp(`^ {2}${option} +<(\\w+)>([^]*?)(?=^ {2}-|\\n\\n)`, "m").exec(`${help}\n\n`)
        assert.isNotNull(found, `${name} ${option}`)
        // A word as a value must be one of those that follow.
        if (!/^-?[\d.]+$/.test(value))
          assert.match(found?.[2] ?? "", new RegExp(`^ {5}${value} `, "m"), `${name} ${option}`)
      }
    }
  }).pipe(Effect.provide(Tools.layer.pipe(Layer.provide(Programs.layer), Layer.provideMerge(NodeServices.layer))))
)

it("caps the rate, and has keyframes where the ladder has them", () => {
  for (const name of names) {
    const words = hardwareArguments(rendition, name).join(" ")
    assert.include(words, "-maxrate 4500000 -bufsize 9000000", name)
    assert.include(words, "-g 120 -force_key_frames expr:not(mod(n,120))", name)
    assert.strictEqual(words.startsWith(`-c:v ${name} `), true)
    assert.strictEqual(words.includes("hvc1"), name.startsWith("hevc"))
  }
  assert.strictEqual(addressSpace({ name: "h264_vaapi" }, 1000), 1000)
  assert.strictEqual(addressSpace(undefined, 1000), 1000)
  assert.isAbove(addressSpace({ name: "hevc_nvenc" }, 1000), 100 * 1024 ** 3)
})
