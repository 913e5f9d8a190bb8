import { type ChildProcess, spawn } from "node:child_process"

/** One request of a mix; `kind` is what its time is counted under. */
export interface MixRequest {
  readonly kind: string
  readonly path: string
  readonly token?: string | undefined
}

/** Times of one kind of request, milliseconds, ascending. */
export interface MixResult {
  readonly kind: string
  readonly times: ReadonlyArray<number>
}

const program = `
import { Agent, request } from "node:http"
let text = ""
for await (const chunk of process.stdin) text += chunk
const { url, requests, clients, seconds } = JSON.parse(text)
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const times = {}
const ask = ({ kind, path, token }) => new Promise((done, fail) => {
  const from = performance.now()
  // A connection that was kept may be closed by the other side in the moment in which it is used again.
  const failed = (error) => asked.reusedSocket && error.code === "ECONNRESET" ? done(ask({ kind, path, token })) : fail(error)
  const asked = request(url + path, { agent, headers: token ? { authorization: "Bearer " + token } : {} }, (answer) => {
    answer.resume()
    answer.on("end", () => {
      if (answer.statusCode !== 200) return fail(new Error(answer.statusCode + " " + path))
      ;(times[kind] ??= []).push(performance.now() - from)
      done()
    })
    answer.on("error", fail)
  })
  asked.on("error", failed).end()
})
let state = 7
const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 4294967296
const until = seconds === 0 ? Infinity : performance.now() + seconds * 1000
let next = 0
const client = async () => {
  while (performance.now() < until) {
    if (seconds === 0 && next >= requests.length) return
    await ask(seconds === 0 ? requests[next++] : requests[Math.floor(random() * requests.length)])
  }
}
await Promise.all(Array.from({ length: clients }, client))
process.stdout.write(JSON.stringify(times), () => process.exit())
`

/**
 * Sends requests from a process of its own: for so many seconds whichever chance picks, or with 0 seconds each once, in
 * turn. Fails with the first answer that is not 200.
 */
export const mix = async (
  url: string,
  requests: ReadonlyArray<MixRequest>,
  options: { readonly clients: number; readonly seconds: number }
): Promise<ReadonlyArray<MixResult>> => {
  const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  let output = ""
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.once("close", done))
  child.stdin?.end(JSON.stringify({ url, requests, ...options }))
  if ((await ended) !== 0) throw new Error("the mix of requests failed: see above")
  return Object.entries(JSON.parse(output) as Record<string, Array<number>>).map(([kind, times]) => ({
    kind,
    times: times.toSorted((a, b) => a - b)
  }))
}

/** The time that this share of them took at most. */
export const percentile = (times: ReadonlyArray<number>, share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
