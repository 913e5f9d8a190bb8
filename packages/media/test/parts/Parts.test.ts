import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cachedClip } from "../support/CachedClip.ts"
import { Clips } from "../support/MediaTest.ts"
import { atOnce, FastMedia, inParts, likeness, packets, planned } from "./Split.ts"

const film = (size: string, rate: string, seconds: number) => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`
]
const tone = (seconds: number) => ["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=44100:duration=${seconds}`]
const x264 = (every: number) => [
  "-c:v",
  "libx264",
  "-preset",
  "ultrafast",
  "-bf",
  "2",
  "-g",
  String(every),
  "-pix_fmt",
  "yuv420p"
]

/** Ten bits of HEVC with wide colours, HLG (arib-std-b67) or PQ (smpte2084). */
const hdr = (transfer: string, more = "") => [
  ...[...film("320x240", "25", 9), "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast"],
  ...["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc", "-tag:v", "hvc1"],
  "-x265-params",
  `keyint=50:log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc${more}`
]

const sources: ReadonlyArray<{ readonly name: string; readonly args: ReadonlyArray<string> }> = [
  { name: "plain.mp4", args: [...film("320x240", "25", 14.6), ...tone(15), ...x264(37), "-c:a", "aac"] },
  { name: "fast.mp4", args: [...film("720x720", "60000/1001", 9), ...x264(150)] },
  {
    name: "late.mkv",
    args: [...film("320x240", "30", 13), ...tone(11), "-vf", "setpts=PTS+5/TB", ...x264(60), "-c:a", "mp3"]
  },
  {
    name: "uneven.mkv",
    args: [
      ...film("320x240", "30", 20),
      "-vf",
      "select='not(mod(n\\,7)*mod(n\\,5))+gt(n\\,400)'",
      "-fps_mode",
      "vfr",
      ...x264(20)
    ]
  },
  {
    name: "open.mp4",
    args: [
      ...film("320x240", "24", 14),
      ...tone(20),
      "-c:v",
      "libx265",
      "-preset",
      "ultrafast",
      "-x265-params",
      "keyint=48:open-gop=1:bframes=4:log-level=none",
      "-tag:v",
      "hvc1",
      "-c:a",
      "aac"
    ]
  },
  {
    name: "fields.mp4",
    args: [...film("320x240", "50", 9), "-vf", "tinterlace=interleave_top", "-flags", "+ildct+ilme", ...x264(50)]
  },
  {
    name: "wide.mov",
    args: [
      ...[...film("320x240", "25", 9), "-vf", "scale=out_range=pc:out_color_matrix=bt709", ...x264(50)],
      ...["-color_range", "pc", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1"]
    ]
  },
  { name: "av1.mkv", args: [...film("320x240", "30", 9), "-c:v", "libsvtav1", "-preset", "12", "-g", "60"] },
  { name: "vp8.webm", args: [...film("320x240", "30", 9), "-c:v", "libvpx", "-deadline", "realtime", "-g", "70"] },
  { name: "hlg.mkv", args: hdr("arib-std-b67") },
  {
    // What is said of their brightness (PQ) lies in the pictures.
    name: "hdr10.mp4",
    args: hdr(
      "smpte2084",
      ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400"
    )
  },
  { name: "cut.mp4", args: ["-ss", "1.2", "-i", "SOURCE", "-c", "copy"] },
  { name: "one.mp4", args: [...film("320x240", "25", 9), ...x264(100_000)] },
  { name: "turned.mp4", args: ["-display_rotation", "90", "-i", "SOURCE", "-c", "copy"] },
  {
    name: "web.webm",
    args: [
      ...film("320x240", "30", 9),
      ...tone(9),
      "-c:v",
      "libvpx-vp9",
      "-deadline",
      "realtime",
      "-cpu-used",
      "8",
      "-g",
      "50",
      "-c:a",
      "libopus"
    ]
  }
]

/** Sources that are encoded in one piece, and why. */
const whole: ReadonlyArray<{ readonly name: string; readonly args: ReadonlyArray<string>; readonly why: RegExp }> = [
  { name: "short.mp4", args: [...film("320x240", "25", 4), ...x264(25)], why: /too short/ },
  { name: "stream.ts", args: [...film("320x240", "25", 13), ...x264(25)], why: /not exact|no length/ },
  { name: "live.mkv", args: [...film("320x240", "25", 13), ...x264(25), "-live", "1"], why: /no index/ },
  { name: "old.avi", args: [...film("320x240", "25", 13), "-c:v", "mpeg4"], why: /avi/ }
]

layer(FastMedia, { excludeTestServices: true, timeout: 120_000 })("Parts of a video", (it) => {
  it.effect.each(sources)(
    "of $name are what one pass makes",
    ({ args, name }) =>
      Effect.gen(function* () {
        const folder = yield* (yield* Clips).folder
        const upright = [...film("320x240", "25", 10.2), ...x264(50)]
        const input = args.includes("SOURCE") ? cachedClip("upright.mp4", upright) : ""
        const source = cachedClip(
          name,
          args.map((word) => (word === "SOURCE" ? input : word))
        )
        const { encoded, parts } = yield* inParts(source, folder)
        const once = yield* atOnce(source, folder)
        assert.isAtLeast(parts.length, 2)
        for (const [index, one] of once.renditions.entries()) {
          const other = encoded.renditions[index]!
          assert.deepStrictEqual([other.width, other.height, other.fps], [one.width, one.height, one.fps])
          for (const kind of ["web", "hls"] as const) {
            assert.deepStrictEqual(yield* packets(other[kind]!.file, "v:0"), yield* packets(one[kind]!.file, "v:0"))
          }
          // What a container says of the padding at the end of a sound does not survive the cut.
          const heard = yield* packets(other.web!.file, "a:0")
          const alone = yield* packets(one.web!.file, "a:0")
          assert.isAtMost(Math.abs(heard.length - alone.length), 2)
          const common = Math.min(heard.length, alone.length)
          assert.deepStrictEqual(heard.slice(0, common), alone.slice(0, common))
          const like = yield* likeness(other.web!.file, one.web!.file)
          assert.isAbove(Math.min(...like), 0.99, name)
        }
      }),
    120_000
  )

  it.effect.each(whole)("of $name are not made", ({ args, name, why }) =>
    Effect.gen(function* () {
      const source = cachedClip(name, args)
      const { parts } = yield* planned(source)
      assert.match(typeof parts === "string" ? parts : `${parts.length} parts`, why)
    })
  )

  it.effect("of a source that is mirrored are not made", () =>
    Effect.gen(function* () {
      const plain = cachedClip("plain.mp4", [...film("320x240", "25", 13), ...x264(25)])
      const mirrored = cachedClip("mirrored.mp4", ["-display_hflip", "-i", plain, "-c", "copy"])
      assert.match(String((yield* planned(mirrored)).parts), /mirrored/)
    })
  )
})
