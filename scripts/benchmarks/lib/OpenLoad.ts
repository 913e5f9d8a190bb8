import { spawn } from "node:child_process"

/** Answers of one status: how many, and how long they took, in milliseconds. */
export interface Answers {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

/** What a load gave; status 0 is no answer. */
export type OpenLoadResult = Readonly<Record<string, Answers>>

const program = `
import { Agent, request } from "node:http"
const { url, perSecond, seconds } = JSON.parse(process.argv[1])
const agent = new Agent({ keepAlive: true, maxSockets: 4000, maxFreeSockets: 4000 })
const taken = new Map()
let open = 0
const note = (status, from) => {
  open--
  const all = taken.get(status) ?? []
  taken.set(status, all)
  all.push(performance.now() - from)
}
const ask = () => {
  const from = performance.now()
  open++
  const asked = request(url, { agent, timeout: 60_000 }, (answer) => {
    answer.resume()
    answer.on("end", () => note(answer.statusCode, from))
  })
  asked.on("timeout", () => asked.destroy(new Error("timeout")))
  asked.on("error", () => note(0, from))
  asked.end()
}
const began = performance.now()
let sent = 0
const turn = () => {
  const at = performance.now() - began
  if (at < seconds * 1000) {
    for (const due = (at / 1000) * perSecond; sent < due; sent++) ask()
    setTimeout(turn, 2)
  } else if (open > 0) setTimeout(turn, 20)
  else {
    const result = {}
    for (const [status, times] of taken) {
      times.sort((a, b) => a - b)
      const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
      result[status] = { count: times.length, p50: at(0.5), p99: at(0.99) }
    }
    process.stdout.write(JSON.stringify(result), () => process.exit())
  }
}
turn()
`

/** Asks an address so many times a second, however long the answers take: as people do, who do not wait for each other. */
export const openLoad = async (url: string, perSecond: number, seconds: number): Promise<OpenLoadResult> => {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", program, JSON.stringify({ url, perSecond, seconds })],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  let output = ""
  for await (const bytes of child.stdout) output += String(bytes)
  return JSON.parse(output) as OpenLoadResult
}
