import { Effect } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Tools } from "../../src/tools/Tools.ts"

/** What a tool says: standard output of ffprobe, standard error of ffmpeg. Fails when it complains by its exit code. */
const said = Effect.fnUntraced(function* (tool: "ffmpeg" | "ffprobe", args: ReadonlyArray<string>) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const program = yield* (yield* Tools).path(tool)
  const words = ["-hide_banner", ...(tool === "ffmpeg" ? ["-nostdin"] : []), ...args]
  const output = tool === "ffmpeg" ? ({ stderr: "pipe", stdout: "ignore" } as const) : ({ stdout: "pipe" } as const)
  return yield* spawner.string(ChildProcess.make(program, words, { stdin: "ignore", ...output }), {
    includeStderr: tool === "ffmpeg"
  })
})

/** Everything ffprobe shows of a file: streams, tags, chapters. */
export const everything = Effect.fnUntraced(function* (file: string) {
  const shown = ["-show_format", "-show_streams", "-show_chapters", "-of", "json"]
  return yield* said("ffprobe", ["-v", "error", ...shown, file])
})

/** Times of the keyframes of a file's picture, seconds. */
export const keyframes = Effect.fnUntraced(function* (file: string) {
  const entries = ["-select_streams", "v:0", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0"]
  const text = yield* said("ffprobe", ["-v", "error", ...entries, file])
  return text
    .split("\n")
    .filter((line) => line.includes(",K"))
    .map((line) => Number(line.split(",")[0]))
})

/** Decodes a file to its end; gives the frames of the picture and every complaint. */
export const decoded = Effect.fnUntraced(function* (file: string) {
  const text = yield* said("ffmpeg", ["-v", "error", "-stats", "-xerror", "-i", file, "-map", "0", "-f", "null", "-"])
  const frames = [...text.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1]
  return {
    frames: Number(frames ?? 0),
    complaints: text.split(/[\r\n]+/).filter((line) => /error|invalid/i.test(line))
  }
})

/** Integrated loudness of a file's sound, LUFS (EBU R 128). */
export const loudness = Effect.fnUntraced(function* (file: string) {
  const text = yield* said("ffmpeg", ["-v", "info", "-i", file, "-map", "0:a:0", "-af", "ebur128", "-f", "null", "-"])
  return Number(/I:\s+(-?[\d.]+) LUFS\s+Threshold/.exec(text)?.[1])
})
