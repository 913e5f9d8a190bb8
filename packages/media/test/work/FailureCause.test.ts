import { assert, it } from "@effect/vitest"
import { FfmpegFailed } from "../../src/errors/MediaErrors.ts"
import { blame } from "../../src/work/FailureCause.ts"

const failed = (...stderr: ReadonlyArray<string>) =>
  blame(new FfmpegFailed({ tool: "ffmpeg", reason: "exit", exitCode: 1, stderr }))

it("does not hold against a file what this machine lacks", () => {
  const missing = failed("[vost#0:0 @ 0x55] Unknown encoder 'libx264'", "Error opening output files: Encoder not found")
  assert.isTrue(missing.machine)
  assert.isTrue(failed("[AVFilterGraph @ 0x55] No such filter: 'zscale'").machine)
  assert.isTrue(failed("av_interleaved_write_frame(): No space left on device").machine)
  assert.isTrue(blame(new FfmpegFailed({ tool: "ffmpeg", reason: "spawn", stderr: [] })).machine)
  assert.isFalse(failed("Error while decoding stream #0:0").machine)
})

it("tells the tool's words without the paths of this machine", () => {
  const { words } = failed("file:/var/lib/kinora-runner/work/1/source: Invalid data found when processing input")
  assert.include(words, "source: Invalid data found")
  assert.notInclude(words, "/")
})
