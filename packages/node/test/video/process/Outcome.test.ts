import { FfmpegFailed, ProbeFailed, ToolNotStarted } from "@kinora/media/errors/MediaErrors"
import { assert, describe, it } from "@effect/vitest"
import { toolFailed } from "../../../src/video/process/Outcome.ts"

const failed = (fields: Partial<FfmpegFailed>) =>
  new FfmpegFailed({ tool: "ffmpeg", reason: "exit", exitCode: 1, stderr: [], ...fields })

describe("the failure of a tool", () => {
  it("ends a job when it lies in the file and came twice", () => {
    assert.isFalse(toolFailed(1)(failed({})).final)
    assert.isTrue(toolFailed(2)(failed({})).final)
    assert.isTrue(toolFailed(2)(new ProbeFailed({ reason: "damaged", detail: "" })).final)
  })

  it("never ends one when the tool was killed, or had no room or no memory to begin", () => {
    for (const error of [
      failed({ reason: "signal", signal: "SIGKILL" }),
      failed({ exitCode: 137 }),
      failed({ reason: "spawn" }),
      failed({ stderr: ["[out#0] Error writing trailer: No space left on device"] }),
      failed({ exitCode: 244, stderr: ["[libx264] malloc of size 3110400 failed", "Cannot allocate memory"] }),
      new ToolNotStarted({ tool: "ffprobe", detail: "" })
    ])
      assert.isFalse(toolFailed(9)(error).final, error.message)
  })
})
