import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type KinoraProcess, until } from "./KinoraProcess.ts"
import { ffmpeg } from "./Publisher.ts"

interface Payload {
  readonly input: { readonly rtmpUrl: string }
  readonly output: {
    readonly toTranscode: ReadonlyArray<{ readonly resolution: number; readonly fps: number }>
    readonly segmentDuration: number
    readonly segmentListSize: number
  }
}

interface Tokens {
  readonly runnerToken: string
  readonly jobToken: string
}

const api = "/api/v1/runners"
const jobType = "live-rtmp-hls-transcoding"

/** A runner of another make: plain HTTP as the protocol has it, and ffmpeg's own HLS muxer. */
export class StockLiveRunner {
  readonly folder = mkdtempSync(join(tmpdir(), "kinora-stock-live-"))
  readonly node: KinoraProcess
  readonly #runnerToken: string
  uuid = ""
  payload!: Payload
  tokens!: Tokens
  #child: ChildProcess | undefined

  private constructor(node: KinoraProcess, runnerToken: string) {
    this.node = node
    this.#runnerToken = runnerToken
  }

  static async register(node: KinoraProcess, auth: Record<string, string>): Promise<StockLiveRunner> {
    await fetch(`${node.url}${api}/registration-tokens/generate`, { method: "POST", headers: auth })
    const { data } = await node.json<{ data: ReadonlyArray<{ registrationToken: string }> }>(
      `${api}/registration-tokens`,
      auth
    )
    const runner = new StockLiveRunner(node, "")
    const body = { registrationToken: data[0]!.registrationToken, name: "stock", description: "of another make" }
    const { runnerToken } = await runner.#post<{ runnerToken: string }>("/register", body)
    return new StockLiveRunner(node, runnerToken)
  }

  async #post<A>(path: string, body: Record<string, unknown>): Promise<A> {
    const answer = await fetch(`${this.node.url}${api}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return (text === "" ? undefined : JSON.parse(text)) as A
  }

  /** Waits for a live, and accepts it. */
  async accept(): Promise<void> {
    const runnerToken = this.#runnerToken
    const offer = await until("a live to be offered", 20, async () => {
      const body = { runnerToken, jobTypes: [jobType] }
      const { availableJobs } = await this.#post<{ availableJobs: ReadonlyArray<{ uuid: string }> }>(
        "/jobs/request",
        body
      )
      return availableJobs[0]
    })
    this.uuid = offer.uuid
    const { job } = await this.#post<{ job: { jobToken: string; payload: Payload } }>(`/jobs/${offer.uuid}/accept`, {
      runnerToken
    })
    this.payload = job.payload
    this.tokens = { runnerToken, jobToken: job.jobToken }
  }

  /** Says that the job cannot be done. */
  async fail(message: string): Promise<void> {
    await this.#post(`/jobs/${this.uuid}/error`, { ...this.tokens, message })
  }

  /** Begins to transcode. */
  async transcode(): Promise<void> {
    const { input, output } = this.payload
    const maps = output.toTranscode.flatMap(({ fps, resolution }, index) => [
      ...["-map", "0:v", "-map", "0:a", `-filter:v:${index}`, `scale=-2:${resolution},fps=${fps}`]
    ])
    const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-sc_threshold", "0"]
    const hls = ["-f", "hls", "-hls_time", String(output.segmentDuration), "-hls_flags", "independent_segments"]
    const streams = output.toTranscode.map((_, index) => `v:${index},a:${index}`).join(" ")
    const lists = ["-hls_list_size", String(output.segmentListSize), "-master_pl_name", "master.m3u8"]
    const names = ["-hls_segment_filename", join(this.folder, "%v-%06d.ts"), "-var_stream_map", streams]
    const keyframes = ["-force_key_frames", `expr:gte(t,n_forced*${output.segmentDuration})`]
    const args = ["-v", "error", "-i", input.rtmpUrl, ...maps, ...codecs, ...keyframes, ...hls, ...lists, ...names]
    this.#child = spawn(await ffmpeg(), [...args, join(this.folder, "%v.m3u8")], { stdio: "ignore" })
  }

  /** Sends what is new, until ffmpeg ends, and says that the job is done. */
  async work(): Promise<void> {
    await this.transcode()
    const child = this.#child!
    const ended = new Promise<void>((done) => child.once("close", () => done()))
    let isOver = false
    void ended.then(() => (isOver = true))
    const sent = new Set<string>()
    const sendNew = async () => {
      for (const [index] of this.payload.output.toTranscode.entries()) {
        for (const name of this.#listed(index)) {
          if (sent.has(name)) continue
          sent.add(name)
          const answer = await this.addChunk(name, index, readFileSync(join(this.folder, name)))
          if (answer.status !== 204) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
        }
      }
    }
    await until("the end of the live", 120, async () => {
      const wasOver = isOver
      await sendNew()
      return wasOver ? true : undefined
    })
    const form = new FormData()
    for (const [name, value] of Object.entries(this.tokens)) form.append(name, value)
    const done = await fetch(`${this.node.url}${api}/jobs/${this.uuid}/success`, { method: "POST", body: form })
    if (done.status !== 204) throw new Error(`success: ${done.status} ${await done.text()}`)
  }

  #listed(index: number): ReadonlyArray<string> {
    try {
      const lines = readFileSync(join(this.folder, `${index}.m3u8`), "utf8").split("\n")
      return lines.filter((line) => line.endsWith(".ts"))
    } catch {
      return []
    }
  }

  /** Sends a segment with the playlists that are there. */
  async addChunk(name: string, index: number, content: Uint8Array): Promise<Response> {
    const form = new FormData()
    for (const [key, value] of Object.entries(this.tokens)) form.append(key, value)
    form.append("payload[type]", "add-chunk")
    form.append("payload[videoChunkFilename]", name)
    form.append("payload[videoChunkFile]", new Blob([Uint8Array.from(content)]), name)
    const playlist = `${index}.m3u8`
    if (this.#listed(index).length > 0) {
      form.append("payload[resolutionPlaylistFilename]", playlist)
      form.append("payload[resolutionPlaylistFile]", new Blob([readFileSync(join(this.folder, playlist))]), playlist)
      form.append("payload[masterPlaylistFile]", new Blob(["#EXTM3U"]), "master.m3u8")
    }
    return await fetch(`${this.node.url}${api}/jobs/${this.uuid}/update`, { method: "POST", body: form })
  }

  remove(): void {
    this.#child?.kill("SIGKILL")
    rmSync(this.folder, { recursive: true, force: true })
  }
}
