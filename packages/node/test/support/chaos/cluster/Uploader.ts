import { readFileSync } from "node:fs"
import type { CreatedVideo } from "../../Uploads.ts"

/** A video that was acknowledged. */
export interface Uploaded {
  readonly name: string
  readonly video: CreatedVideo
  /** Requests that had to be made again. */
  readonly troubles: number
}

const pause = (millis: number) => new Promise((next) => setTimeout(next, millis))

/** As a stock client: so long between tries, and until it gives up. */
const retryEvery = 1000
const givesUpAfter = 180_000

/**
 * Uploads one clip after another in chunks, through the reverse proxy, as a stock client does: what failed is asked about
 * (`bytes *\/SIZE`) and goes on from where the server says it is.
 */
export class Uploader {
  readonly done: Array<Uploaded> = []
  readonly faults: Array<string> = []
  /** Bytes of the current upload that are acknowledged. */
  acknowledged = 0
  private stopping = false
  private running: Promise<void> | undefined
  private nth = 0
  private readonly bytes: Buffer
  private readonly url: string
  private readonly auth: Record<string, string>
  private readonly channelId: number
  private readonly isBusy: () => Promise<boolean>

  /** `isBusy`: whether so many videos are being made that another one has to wait. */
  constructor(set: {
    readonly url: string
    readonly auth: Record<string, string>
    readonly channelId: number
    readonly clip: string
    readonly isBusy: () => Promise<boolean>
  }) {
    this.url = set.url
    this.auth = set.auth
    this.channelId = set.channelId
    this.bytes = readFileSync(set.clip)
    this.isBusy = set.isBusy
  }

  start(): void {
    this.stopping = false
    this.running = this.run()
  }

  /** Ends with the upload that is under way. */
  async stop(): Promise<void> {
    this.stopping = true
    await this.running
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      if (await this.isBusy()) {
        await pause(500)
        continue
      }
      await this.upload(`Upload ${++this.nth}`).catch((error: unknown) => {
        this.faults.push(error instanceof Error ? error.message : String(error))
      })
    }
  }

  /** Asks until there is an answer that says something. */
  private async insist(what: string, once: () => Promise<Response>): Promise<Response> {
    const end = performance.now() + givesUpAfter
    for (let last = "nothing"; ;) {
      const answer = await once().catch((error: Error) => error)
      if (!(answer instanceof Error)) {
        // A conflict and a full queue pass, and so do a node's failures.
        const passes = answer.status >= 500 || answer.status === 409 || answer.status === 429
        if (!passes) return answer
        last = `${answer.status} ${await answer.text().catch(() => "")}`
      } else last = answer.message
      if (performance.now() > end) throw new Error(`${what}: ${last} for ${givesUpAfter / 1000} s`)
      this.troubles++
      await pause(retryEvery)
    }
  }

  private troubles = 0

  private async upload(name: string): Promise<void> {
    this.troubles = 0
    this.acknowledged = 0
    const size = this.bytes.length
    const created = await this.insist(`${name} begins`, () =>
      fetch(`${this.url}/api/v1/videos/upload-resumable?uploadType=resumable`, {
        method: "POST",
        headers: {
          ...this.auth,
          "content-type": "application/json",
          "x-upload-content-length": String(size),
          "x-upload-content-type": "video/mp4"
        },
        body: JSON.stringify({
          channelId: this.channelId,
          filename: `${name}.mp4`,
          name,
          privacy: 1,
          waitTranscoding: true
        }),
        signal: AbortSignal.timeout(30_000)
      })
    )
    if (created.status !== 201) throw new Error(`${name} begins: ${created.status} ${await created.text()}`)
    const location = new URL(created.headers.get("location") ?? "", this.url)
    const address = this.url + location.pathname + location.search
    const chunk = Math.ceil(size / 8)
    for (let from = 0, asks = false; ;) {
      const to = Math.min(size, from + chunk)
      const answer = await this.put(address, asks ? undefined : { from, to }, size)
      if (answer === undefined) {
        this.troubles++
        asks = true
        await pause(retryEvery)
        continue
      }
      if (answer.status === 200) {
        const { video } = (await answer.json()) as { video: CreatedVideo }
        this.done.push({ name, video, troubles: this.troubles })
        return
      }
      if (answer.status !== 308) throw new Error(`${name} at ${from}: ${answer.status} ${await answer.text()}`)
      const range = answer.headers.get("range")
      const received = range === null ? 0 : Number(range.split("-")[1]) + 1
      if (received < this.acknowledged) {
        throw new Error(`${name}: ${this.acknowledged} bytes were acknowledged, and ${received} are there`)
      }
      this.acknowledged = received
      from = received
      asks = false
      await pause(100)
    }
  }

  /** Brings a chunk, or asks what is there; undefined when the server has to be asked again. */
  private async put(address: string, chunk: { from: number; to: number } | undefined, size: number) {
    const body = chunk === undefined ? undefined : this.bytes.subarray(chunk.from, chunk.to)
    const range = chunk === undefined ? "*" : `${chunk.from}-${chunk.to - 1}`
    const send = () =>
      fetch(address, {
        method: "PUT",
        headers: {
          ...this.auth,
          "content-type": "application/octet-stream",
          "content-range": `bytes ${range}/${size}`
        },
        ...(body === undefined ? {} : { body: new Uint8Array(body) }),
        signal: AbortSignal.timeout(30_000)
      })
    if (chunk === undefined) return await this.insist("asking for the upload", send)
    const answer = await send().catch(() => undefined)
    if (answer === undefined) return undefined
    if (answer.status < 400) return answer
    await answer.body?.cancel()
    return undefined
  }
}
