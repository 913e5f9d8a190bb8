import { NodeServices } from "@effect/platform-node"
import { Programs } from "@kinora/media/tools/Programs"
import { Tools } from "@kinora/media/tools/Tools"
import { Effect, Layer } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where ffmpeg is. */
export const ffmpeg = (): Promise<string> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Tools, (tools) => tools.path("ffmpeg")),
      Tools.layer.pipe(Layer.provide(Programs.layer), Layer.provide(NodeServices.layer))
    )
  )

/** A minute of a test picture with a running clock, a tone, and a keyframe every second. */
const source = async (): Promise<string> => {
  const file = join(tmpdir(), "kinora-live-source-1.mp4")
  if (existsSync(file)) return file
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25", "-f", "lavfi", "-i", "sine=frequency=440"]
  const video = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-sc_threshold", "0"]
  const partial = `${file}.${process.pid}.mp4`
  const program = await ffmpeg()
  execFileSync(program, ["-v", "error", "-y", ...picture, "-t", "60", ...video, "-c:a", "aac", "-ac", "2", partial])
  execFileSync("mv", [partial, file])
  return file
}

/** A program that publishes a live, as OBS does. */
export interface LivePublisher {
  readonly child: ChildProcess
  /** Ends the stream as a person does who presses the button. */
  readonly end: () => void
  /** Breaks the connection without a word. */
  readonly cut: () => void
  /** Waits until it has ended; gives what it said. */
  readonly ended: Promise<string>
}

/** Publishes in real time to an address with its key: a test picture, or what is in a file. */
export const publishLive = async (
  address: string,
  options: ReadonlyArray<string> = [],
  file?: string
): Promise<LivePublisher> => {
  const format = address.startsWith("srt:") ? "mpegts" : "flv"
  const args = ["-v", "warning", "-re", "-i", file ?? (await source()), "-c", "copy", ...options, "-f", format, address]
  const child = spawn(await ffmpeg(), args, { stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  return {
    child,
    end: () => void child.kill("SIGINT"),
    cut: () => void child.kill("SIGKILL"),
    ended: new Promise((done) => child.once("close", () => done(said)))
  }
}
