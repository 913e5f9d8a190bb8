import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { fixtureFfmpeg } from "../../../media/test/support/CachedClip.ts"
import { send } from "../instance/about/Client.ts"
import { baseUrl } from "../instance/about/TestNode.ts"
import { fieldParts, formBody, formType, type Part } from "../video/upload/Form.ts"
import { accept, post } from "./Runners.ts"

/** What a runner encodes with here. */
export const ffmpeg = fixtureFfmpeg
const run = promisify(execFile)

interface Tokens {
  readonly runnerToken: string
  readonly jobToken: string
}

/** A job as a runner is told of it. */
export interface Offer {
  readonly uuid: string
  readonly type: string
  readonly payload: {
    readonly input: { readonly videoFileUrl?: string; readonly audioFileUrl?: string; readonly previewFileUrl?: string }
    readonly output: { readonly resolution: number; readonly fps: number }
    readonly sprites?: {
      readonly size: { readonly width: number; readonly height: number }
      readonly count: { readonly width: number; readonly height: number }
      readonly duration: number
    }
  }
}

export const offers = (runnerToken: string) =>
  Effect.map(post("/jobs/request", { runnerToken }), ({ json }) => json.availableJobs as ReadonlyArray<Offer>)

/** Sends a result: the tokens, then the files. */
export const succeed = (uuid: string, tokens: Tokens, files: ReadonlyArray<Part>) =>
  send(`/api/v1/runners/jobs/${uuid}/success`, {
    method: "POST",
    headers: { "content-type": formType },
    body: new Uint8Array(formBody([...fieldParts({ ...tokens }), ...files]))
  })

/** A file of a result, under a name that must not be believed. */
export const resultFile = (field: string, content: Buffer | string): Part => ({
  name: `payload[${field}]`,
  filename: `../../${field}`,
  type: "application/octet-stream",
  content
})

const fetchTo = async (address: string, tokens: Tokens, path: string): Promise<void> => {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(tokens)
  })
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  await writeFile(path, Buffer.from(await response.arrayBuffer()))
}

const download = (address: string, tokens: Tokens, path: string) =>
  Effect.flatMap(baseUrl, (base) => Effect.promise(() => fetchTo(base + new URL(address).pathname, tokens, path)))

const sizes = ({ output: { fps, resolution } }: Offer["payload"]) => [
  ...["-vf", `scale=-2:${resolution},fps=${fps},format=yuv420p`, "-c:v", "libx264", "-preset", "ultrafast", "-g", "50"],
  ...["-c:a", "aac", "-ac", "2"]
]

const encode = (args: ReadonlyArray<string>) =>
  Effect.promise(() => run(ffmpeg, ["-hide_banner", "-loglevel", "error", "-y", ...args]))

/** Does a job as the programs people run do it: gets the input, encodes, and gives the files of the result. */
const work = Effect.fnUntraced(function* ({ payload, type }: Offer, tokens: Tokens, folder: string) {
  const at = (name: string) => join(folder, name)
  const read = (name: string) => Effect.promise(() => readFile(at(name)))
  const { input, sprites } = payload
  yield* download((input.videoFileUrl ?? input.audioFileUrl)!, tokens, at("source"))
  switch (type) {
    case "generate-video-storyboard": {
      const { count, duration, size } = sprites!
      const filter = `fps=1/${duration},scale=${size.width}:${size.height},tile=${count.width}x${count.height}`
      yield* encode(["-i", at("source"), "-vf", filter, "-frames:v", "1", at("sheet.jpg")])
      return [resultFile("storyboardFile", yield* read("sheet.jpg"))]
    }
    case "vod-audio-merge-transcoding": {
      yield* download(input.previewFileUrl!, tokens, at("picture.jpg"))
      const loop = ["-loop", "1", "-framerate", "5", "-i", at("picture.jpg"), "-i", at("source"), "-shortest"]
      yield* encode([...loop, ...sizes(payload), at("out.mp4")])
      return [resultFile("videoFile", yield* read("out.mp4"))]
    }
    case "vod-web-video-transcoding": {
      yield* encode(["-i", at("source"), ...sizes(payload), at("out.mp4")])
      return [resultFile("videoFile", yield* read("out.mp4"))]
    }
    default: {
      const hls = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"]
      const single = ["-hls_flags", "single_file", "-hls_segment_filename", at("out.mp4"), at("out.m3u8")]
      yield* encode(["-i", at("source"), ...sizes(payload), ...hls, ...single])
      return [
        resultFile("videoFile", yield* read("out.mp4")),
        resultFile("resolutionPlaylistFile", yield* read("out.m3u8"))
      ]
    }
  }
})

/** Takes a job, does it and hands the result in. */
export const doJob = Effect.fn("doJob")(function* (offer: Offer, runnerToken: string) {
  const tokens = yield* accept(offer.uuid, runnerToken)
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "kinora-runner-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  return yield* succeed(offer.uuid, tokens, yield* work(offer, tokens, folder))
}, Effect.scoped)
