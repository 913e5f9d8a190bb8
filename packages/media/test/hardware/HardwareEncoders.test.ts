import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Duration, Effect, FileSystem, Layer } from "effect"
import type { VideoCodec } from "../../src/ladder/VideoCodec.ts"
import { Media } from "../../src/Media.ts"
import { defaultMediaSettings, MediaSettings, type MediaSettingsShape } from "../../src/settings/MediaSettings.ts"
import { Probe } from "../../src/probe/Probe.ts"
import { HardwareEncoders } from "../../src/hardware/HardwareEncoders.ts"
import { Tools } from "../../src/tools/Tools.ts"
import { RunnerWork } from "../../src/work/RunnerWork.ts"
import { Clips } from "../support/MediaTest.ts"
import { hardwareKinds } from "../../src/transcode/VideoEncoder.ts"

const services = (changes: Partial<MediaSettingsShape> = {}) =>
  HardwareEncoders.layer.pipe(
    Layer.provideMerge(Media.layer),
    Layer.provide(Layer.succeed(MediaSettings, { ...defaultMediaSettings, ...changes })),
    Layer.provideMerge(NodeServices.layer)
  )

const search = (codec: VideoCodec, device?: string) =>
  HardwareEncoders.use((it) => it.search({ codec, kinds: hardwareKinds, device }))

/**
 * The real tool, but for the hardware encoders, which it names whatever it was built with: `vaapi` works, by x264 behind its words; `qsv` puts keyframes anywhere, `nvenc`
 * hangs, `amf` is missing.
 */
const fake = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const real = yield* Effect.provide(
    Tools.use((tools) => tools.path("ffmpeg")),
    services()
  )
  const folder = yield* fs.makeTempDirectoryScoped()
  const path = `${folder}/ffmpeg`
  const script = `#!/bin/sh
for last; do :; done
case "$*" in
*-encoders*)
  ${real} "$@"
  for name in nvenc qsv vaapi amf; do echo " V..... h264_$name fake"; done
  exit;;
*h264_qsv*) exec ${real} -v error -y -f lavfi -i testsrc2=size=64x64:rate=24:duration=2 -c:v libx264 -g 10 "$last";;
*h264_nvenc*) exec sleep 300;;
*h264_amf*) echo "DLL libamfrt64.so.1 failed to open" >&2; exit 1;;
*h264_vaapi*)
  printf '%s\\n' "$@" > ${folder}/said
  skip=
  for word; do
    shift
    [ -n "$skip" ] && { skip=; continue; }
    case "$word" in
    -init_hw_device | -filter_hw_device | -rc_mode) skip=1; continue;;
    h264_vaapi) word=libx264;;
    *,format=nv12,hwupload*) word=$(printf %s "$word" | sed 's/,format=nv12,hwupload//g');;
    esac
    set -- "$@" "$word"
  done;;
esac
exec ${real} "$@"
`
  yield* fs.writeFileString(path, script, { mode: 0o755 })
  return { path, said: Effect.map(fs.readFileString(`${folder}/said`), (text) => text.trim().split("\n").join(" ")) }
})

it.live("finds no encoder where there is no device, and says why", () =>
  Effect.gen(function* () {
    const trials = yield* search("h264")
    assert.includeMembers(
      trials.map(({ encoder }) => encoder.name),
      ["h264_nvenc", "h264_qsv", "h264_vaapi", "h264_amf"]
    )
    for (const { encoder, words, works } of trials) {
      assert.isFalse(works, encoder.name)
      assert.isAbove(words.length, 10, encoder.name)
    }
    // There is no such encoder for the others.
    const names = (yield* search("vp9", "/dev/dri/renderD199")).map(({ encoder }) => encoder)
    assert.deepStrictEqual(names, [
      { name: "vp9_qsv", device: "/dev/dri/renderD199" },
      { name: "vp9_vaapi", device: "/dev/dri/renderD199" }
    ])
  }).pipe(Effect.provide(services()))
)

it.live("tries with the arguments of real work, and looks at what was made", () =>
  Effect.gen(function* () {
    const { path, said } = yield* fake
    const settings = { ffmpegPath: path, probeTimeout: Duration.seconds(20) }
    const trials = yield* Effect.provide(search("h264", "/dev/dri/renderD130"), services(settings))
    assert.deepStrictEqual(
      trials.map(({ encoder, words, works }) => [encoder.name, works, words]),
      [
        ["h264_nvenc", false, "Nothing came of it within 20s"],
        ["h264_qsv", false, "Its keyframes are not where they are asked for"],
        ["h264_vaapi", true, ""],
        ["h264_amf", false, "DLL libamfrt64.so.1 failed to open"]
      ]
    )
    const words = yield* said
    assert.include(words, "-init_hw_device vaapi=hw:/dev/dri/renderD130 -filter_hw_device hw")
    assert.include(words, "format=nv12,hwupload[v0]")
    assert.include(words, "-c:v h264_vaapi -profile:v high -rc_mode VBR -bf 0")
    assert.match(words, /-b:v \d+ -maxrate 1300000 -bufsize 2600000/)
    assert.include(words, "-g 24 -force_key_frames expr:not(mod(n,24))")
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)

it.live("encodes a rendition with the encoder that was found", () =>
  Effect.gen(function* () {
    const { path, said } = yield* fake
    yield* Effect.gen(function* () {
      const source = yield* (yield* Clips).clip("odd.mp4")
      const directory = yield* (yield* Clips).folder
      const made = yield* (yield* RunnerWork).rendition({
        ...{ source, directory, token: "t", hls: true, splitAudio: false },
        asked: { resolution: 144, fps: 25 },
        videoEncoder: { name: "h264_vaapi", device: "/dev/dri/renderD130" }
      })
      const { audio, video } = yield* (yield* Probe).probe(made.video)
      assert.deepStrictEqual([video?.codec, video?.height, audio.length], ["h264", 144, 1])
    }).pipe(Effect.scoped, Effect.provide(Clips.layer.pipe(Layer.provideMerge(services({ ffmpegPath: path })))))
    const words = yield* said
    assert.include(words, "-init_hw_device vaapi=hw:/dev/dri/renderD130 -filter_hw_device hw")
    assert.match(words, /setsar=1,format=nv12,hwupload\[v0\]/)
    assert.match(words, /-map \[v0\] -an -c:v h264_vaapi /)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
