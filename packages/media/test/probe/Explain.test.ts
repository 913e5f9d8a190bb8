import { assert, describe, it } from "@effect/vitest"
import { FfmpegFailed } from "../../src/errors/MediaErrors.ts"
import { explain } from "../../src/probe/Explain.ts"

const mp4 = Buffer.from("\0\0\0\x20ftypisom")
const explained = (fields: Partial<FfmpegFailed>) =>
  explain(new FfmpegFailed({ tool: "ffprobe", reason: "exit", exitCode: 1, stderr: [], ...fields }), mp4)

describe("what a failed look at a file says of it", () => {
  it("is nothing when the tool was killed or the machine had no room: the file may be good", () => {
    for (const fields of [
      { reason: "signal", signal: "SIGKILL" },
      { exitCode: 137 },
      { stderr: ["pipe:1: No space left on device"] }
    ] as const)
      assert.strictEqual(explained(fields)._tag, "ToolNotStarted")
  })

  it("is that it is damaged when the tool crashed on it or found its end too soon", () => {
    for (const fields of [{ reason: "signal", signal: "SIGSEGV" }, { stderr: ["moov atom not found"] }] as const)
      assert.strictEqual(explained(fields)._tag, "ProbeFailed")
  })
})
