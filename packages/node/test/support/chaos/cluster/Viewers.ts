import { createHash } from "node:crypto"
import type { VideoAnswer } from "../../Uploads.ts"

/** How a request of a viewer went wrong: how it ended, or its status. */
type Ending = "cut" | "silent" | "wrong bytes" | `${number}`

/** The same, of a node or of object storage, to which nodes send viewers for files. */
export type Trouble = Ending | `S3 ${Ending}`

interface Seen {
  /** When it ended, by `performance.now()`. */
  readonly at: number
  readonly trouble: Trouble | undefined
  readonly what: string
}

const patience = 15_000

/** One thing that viewers ask for; it gives what was wrong with the answer. */
interface Errand {
  readonly what: string
  readonly ask: (signal: AbortSignal) => Promise<Trouble | undefined>
}

const sha256 = (bytes: ArrayBuffer) => createHash("sha256").update(Buffer.from(bytes)).digest("hex")

const endingOf = (error: unknown): Ending =>
  error instanceof Error && error.name === "TimeoutError" ? "silent" : "cut"

const statusOf = (answer: Response): Ending | undefined => (answer.ok ? undefined : `${answer.status}`)

/** Part of a file, as a player gets it, which follows a node to object storage. */
const readPart = async (
  address: string,
  range: string,
  signal: AbortSignal
): Promise<{ readonly trouble?: Trouble | undefined; readonly digest: string }> => {
  const get = (from: string) => fetch(from, { headers: { range }, redirect: "manual", signal })
  const first = await get(address)
  if (first.status !== 302) return { trouble: statusOf(first), digest: sha256(await first.arrayBuffer()) }
  await first.body?.cancel()
  try {
    const second = await get(first.headers.get("location") ?? "")
    const digest = sha256(await second.arrayBuffer())
    return second.ok ? { digest } : { trouble: `S3 ${second.status}`, digest }
  } catch (error) {
    return { trouble: `S3 ${endingOf(error)}`, digest: "" }
  }
}

/** Viewers who ask for lists, pages, playlists and parts of a video, so many requests a second, whatever comes back. */
export class Viewers {
  readonly seen: Array<Seen> = []
  private readonly errands: ReadonlyArray<Errand>
  private timer: NodeJS.Timeout | undefined
  private turn = 0

  private constructor(errands: ReadonlyArray<Errand>) {
    this.errands = errands
  }

  /** They watch a video that is ready; the bytes of now are those that it has to have. */
  static async of(url: string, video: VideoAnswer): Promise<Viewers> {
    const local = (address: string) => url + new URL(address).pathname
    const playlist = video.streamingPlaylists[0]!
    const files = playlist.files.map(({ fileUrl }) => local(fileUrl))
    const parts = await Promise.all(
      files.flatMap((address) =>
        ["bytes=0-8191", "bytes=20000-52767"].map(async (range) => {
          const { digest, trouble } = await readPart(address, range, AbortSignal.timeout(patience))
          if (trouble !== undefined) throw new Error(`${address}: ${trouble}`)
          return { address, range, digest }
        })
      )
    )
    const page = (what: string, path: string, holds: string): Errand => ({
      what,
      ask: async (signal) => {
        const answer = await fetch(url + path, { signal })
        const text = await answer.text()
        return statusOf(answer) ?? (text.includes(holds) ? undefined : "wrong bytes")
      }
    })
    const reads = parts.map(({ address, digest, range }): Errand => ({
      what: "part",
      ask: async (signal) => {
        const read = await readPart(address, range, signal)
        return read.trouble ?? (read.digest === digest ? undefined : "wrong bytes")
      }
    }))
    const master = new URL(playlist.playlistUrl).pathname
    const pages = [
      page("list", "/api/v1/videos?count=5", '"total"'),
      page("video", `/api/v1/videos/${video.uuid}`, video.uuid),
      page("page", `/w/${video.shortUUID}`, "<html"),
      page("playlist", master, "#EXTM3U"),
      page("comments", `/api/v1/videos/${video.uuid}/comment-threads`, '"total"')
    ]
    return new Viewers([...reads, ...pages, ...reads.slice(0, 2)])
  }

  start(requestsASecond: number): void {
    this.timer = setInterval(() => void this.one(), 1000 / requestsASecond)
  }

  stop(): void {
    clearInterval(this.timer)
  }

  private async one(): Promise<void> {
    const errand = this.errands[this.turn++ % this.errands.length]!
    const trouble = await errand.ask(AbortSignal.timeout(patience)).catch(endingOf)
    this.seen.push({ at: performance.now(), trouble, what: errand.what })
  }

  /** What ended in a span of time. */
  between(from: number, to: number) {
    const seen = this.seen.filter(({ at }) => at >= from && at <= to)
    const errors = seen.filter((one): one is Seen & { trouble: Trouble } => one.trouble !== undefined)
    const kinds: Partial<Record<Trouble, number>> = {}
    for (const { trouble } of errors) kinds[trouble] = (kinds[trouble] ?? 0) + 1
    return { requests: seen.length, errors: errors.length, kinds, last: errors.at(-1)?.at }
  }
}
