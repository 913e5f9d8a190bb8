import { assert, describe, it } from "@effect/vitest"
import { ffmpegArguments } from "../../src/process/FfmpegCommand.ts"
import { initialReading, readProgressLine } from "../../src/process/FfmpegProgress.ts"

describe("FfmpegCommand", () => {
  const args = ffmpegArguments({
    inputs: [{ path: "/up/-i http: x|y %d.mp4", kind: "upload", options: ["-ss", "1"] }],
    filterGraph: "[0:0]split=1[v0]",
    outputs: [{ path: "/out/-f a b.mp4", options: ["-map", "[v0]", "-metadata", "title=-y rm -rf $(id) ; x"] }]
  })

  it("passes names as file addresses and keeps every argument whole", () => {
    assert.strictEqual(args[args.indexOf("-i") + 1], "file:/up/-i http: x|y %d.mp4")
    assert.strictEqual(args.at(-1), "file:/out/-f a b.mp4")
    assert.include(args, "title=-y rm -rf $(id) ; x")
    assert.strictEqual(args[args.indexOf("-filter_complex") + 1], "[0:0]split=1[v0]")
  })

  it("allows an upload no network, no playlists, no exotic decoders", () => {
    assert.strictEqual(args[args.indexOf("-protocol_whitelist") + 1], "file,pipe")
    const formats = args[args.indexOf("-format_whitelist") + 1]?.split(",") ?? []
    for (const name of ["hls", "dash", "concat", "image2", "lavfi", "sdp", "rawvideo"]) assert.notInclude(formats, name)
    const codecs = args[args.indexOf("-codec_whitelist") + 1]?.split(",") ?? []
    for (const name of ["magicyuv", "svg", "librsvg", "ansi"]) assert.notInclude(codecs, name)
    assert.isBelow(args.indexOf("-format_whitelist"), args.indexOf("-i"))
  })

  it("never waits for a terminal", () => {
    assert.deepStrictEqual(args.slice(0, 2), ["-nostdin", "-hide_banner"])
  })
})

describe("FfmpegProgress", () => {
  const read = (total: number, lines: ReadonlyArray<string>) => {
    let state = initialReading
    return lines.flatMap((line) => {
      const [next, reports] = readProgressLine(total)(state, line)
      state = next
      return reports
    })
  }

  it("reads blocks and survives what is not known yet", () => {
    const reports = read(10, [
      "frame=0",
      "out_time_us=N/A",
      "speed=N/A",
      "progress=continue",
      "frame=50",
      "fps=25.0",
      "out_time_us=5000000",
      "speed=2.5x",
      "progress=continue"
    ])
    assert.deepStrictEqual(reports, [
      { fraction: 0, frame: 0, fps: 0, speed: 0, seconds: 0 },
      { fraction: 0.5, frame: 50, fps: 25, speed: 2.5, seconds: 5 }
    ])
  })

  it("never goes back and reaches 1 only at the end", () => {
    const fractions = read(10, [
      "out_time_us=9000000",
      "progress=continue",
      "out_time_us=-100",
      "progress=continue",
      "out_time_us=99000000",
      "progress=continue",
      "progress=end"
    ]).map((report) => report.fraction)
    assert.deepStrictEqual(fractions, [0.9, 0.9, 0.999, 1])
  })
})
