import { Agent, get } from "node:http"
import { observe } from "./Observer.ts"

/** What so many players saw. Times are milliseconds. */
export interface Watched {
  readonly playlists: number
  readonly segments: number
  readonly errors: number
  /** The 99th percentile of a playlist: for one of the crowd, and for an observer beside it. */
  readonly p99: { readonly crowd: number; readonly observer: number }
}

const p99Of = (sorted: ReadonlyArray<number>): number => sorted[Math.floor(sorted.length * 0.99)] ?? 0

/** Asks for a file. Gives its text and how long it took; undefined when it was not answered with 200. */
const ask = (agent: Agent, url: string) =>
  new Promise<{ readonly text: string; readonly millis: number } | undefined>((done) => {
    const from = performance.now()
    const request = get(url, { agent }, (answer) => {
      const pieces: Array<Buffer> = []
      answer.on("data", (piece: Buffer) => void pieces.push(piece))
      answer.on("end", () => {
        const millis = performance.now() - from
        done(answer.statusCode === 200 ? { text: Buffer.concat(pieces).toString("latin1"), millis } : undefined)
      })
      answer.on("error", () => done(undefined))
    })
    request.on("error", () => done(undefined))
  })

/** Plays a live as so many players do: the media playlist every two seconds, and each new segment. */
export const viewers = async (master: string, count: number, seconds: number): Promise<Watched> => {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const found = await ask(agent, master)
  const name = found?.text.split("\n").find((line) => line.endsWith(".m3u8"))
  if (name === undefined) throw new Error("no playlist")
  const playlist = new URL(name, master).href
  const times: Array<number> = []
  let [segments, errors] = [0, 0]
  const end = performance.now() + seconds * 1000
  const watch = async (nth: number): Promise<void> => {
    let last = ""
    await new Promise((done) => setTimeout(done, (nth / count) * 2000))
    while (performance.now() < end) {
      const began = performance.now()
      const answer = await ask(agent, playlist)
      if (answer === undefined) errors += 1
      else {
        times.push(answer.millis)
        const newest = answer.text.trimEnd().split("\n").at(-1) ?? ""
        if (newest !== last && newest.endsWith(".ts")) {
          last = newest
          if ((await ask(agent, new URL(newest, playlist).href)) === undefined) errors += 1
          else segments += 1
        }
      }
      await new Promise((done) => setTimeout(done, Math.max(0, 2000 - (performance.now() - began))))
    }
  }
  const observed = observe(playlist)
  await Promise.all(Array.from({ length: count }, (_, nth) => watch(nth)))
  const p99 = { crowd: p99Of(times.toSorted((a, b) => a - b)), observer: p99Of(await observed()) }
  agent.destroy()
  return { playlists: times.length, segments, errors, p99 }
}

/** What players of parts saw. */
export interface WatchedParts {
  readonly playlists: number
  readonly parts: number
  readonly errors: number
}

/** Plays a live as so many players of Low-Latency HLS do: a playlist that has the next part, and that part. */
export const partViewers = async (master: string, count: number, seconds: number): Promise<WatchedParts> => {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const found = await ask(agent, master)
  const name = found?.text.split("\n").find((line) => line.endsWith(".m3u8"))
  if (name === undefined) throw new Error("no playlist")
  const playlist = new URL(name, master).href
  let [playlists, parts, errors] = [0, 0, 0]
  const end = performance.now() + seconds * 1000
  const watch = async (): Promise<void> => {
    let directives = ""
    while (performance.now() < end) {
      const answer = await ask(agent, `${playlist}${directives}`)
      if (answer === undefined) {
        errors += 1
        directives = ""
        await new Promise((done) => setTimeout(done, 1000))
        continue
      }
      playlists += 1
      const lines = answer.text.split("\n")
      const sequence = Number(/MEDIA-SEQUENCE:(\d+)/.exec(answer.text)?.[1])
      const skipped = Number(/SKIPPED-SEGMENTS=(\d+)/.exec(answer.text)?.[1] ?? 0)
      const segments = lines.filter((line) => line.startsWith("#EXTINF")).length
      const last = lines.findLastIndex((line) => line.startsWith("#EXTINF"))
      const open = lines.slice(last).filter((line) => line.startsWith("#EXT-X-PART:"))
      directives = `?_HLS_msn=${sequence + skipped + segments}&_HLS_part=${open.length}&_HLS_skip=YES`
      const uri = /URI="([^"]+)"/.exec(open.at(-1) ?? "")?.[1]
      if (uri === undefined) continue
      if ((await ask(agent, new URL(uri, playlist).href)) === undefined) errors += 1
      else parts += 1
    }
  }
  await Promise.all(Array.from({ length: count }, watch))
  agent.destroy()
  return { playlists, parts, errors }
}
