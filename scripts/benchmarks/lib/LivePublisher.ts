import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { root } from "./Instance.ts"

export const ffmpeg = join(root, `node_modules/@ffmpeg-binary/${process.platform}-${process.arch}/ffmpeg`)

const quiet = ["-nostdin", "-y", "-loglevel", "error"]

/** A live of the instance, and where it is published. */
export interface BenchLive {
  readonly id: number
  readonly uuid: string
  readonly address: string
  /** Where it is published by SRT. */
  readonly srtUrl: string
}

/** Creates a live of the administrator. */
export const createLive = async (
  url: string,
  token: string,
  fields: Record<string, unknown> = {}
): Promise<BenchLive> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const me = (await (await fetch(`${url}/api/v1/users/me`, { headers })).json()) as {
    videoChannels: ReadonlyArray<{ id: number }>
  }
  const body = JSON.stringify({ channelId: me.videoChannels[0]!.id, name: "A live", privacy: 1, ...fields })
  const made = await fetch(`${url}/api/v1/videos/live`, { method: "POST", headers, body })
  if (made.status !== 200) throw new Error(`no live: ${made.status} ${await made.text()}`)
  const { video } = (await made.json()) as { video: { id: number; uuid: string } }
  const settings = await fetch(`${url}/api/v1/videos/live/${video.id}`, { headers })
  const { rtmpUrl, srtUrl, streamKey } = (await settings.json()) as Record<"rtmpUrl" | "srtUrl" | "streamKey", string>
  return { ...video, address: `${rtmpUrl}/${streamKey}`, srtUrl }
}

/** Publishes a file again and again, in real time and as it is. */
export const publishFile = (file: string, address: string): ChildProcess => {
  const format = address.startsWith("srt:") ? "mpegts" : "flv"
  const args = [...quiet, "-re", "-stream_loop", "-1", "-i", file, "-c", "copy", "-f", format, address]
  return spawn(ffmpeg, args, { stdio: "ignore" })
}

/** Width of a bit of the clock in the picture. */
export const bitWidth = 32
export const clockBits = 16
/** Steps of the clock in a second. */
export const clockRate = 20

/**
 * Publishes a picture whose upper edge says its time in bits, and gives when it began (milliseconds since 1970): a frame of
 * second t is made at that moment plus t.
 */
export const publishClock = async (address: string) => {
  const bits = Array.from({ length: clockBits }, (_, bit) => {
    const isOn = `gte(mod(floor(t*${clockRate}+0.001)/${2 ** bit}\\,2)\\,1)`
    return `drawbox=x=${bit * bitWidth}:y=0:w=${bitWidth}:h=40:color=white:t=fill:enable='${isOn}'`
  })
  const graph = `color=c=black:s=640x360:r=30,${bits.join(",")}`
  const child = spawn(
    ffmpeg,
    [
      ...quiet,
      ...["-progress", "pipe:1", "-stats_period", "0.05", "-re", "-f", "lavfi", "-i", graph],
      ...["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.01"],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", "30"],
      ...["-c:a", "aac", "-f", "flv", address]
    ],
    { stdio: ["ignore", "pipe", "ignore"] }
  )
  const began = await new Promise<number>((done) => {
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const seconds = /out_time_us=(\d+)[\s\S]*progress=/.exec(text)
      if (seconds !== null) done(Date.now() - Number(seconds[1]) / 1000)
      else if (text.length > 10_000) text = ""
    })
  })
  return { child, began }
}
