import { type ChildProcess, spawn, spawnSync } from "node:child_process"

/** What a flood came to: answers by status. */
export interface FloodResult {
  readonly perSecond: number
  readonly statuses: Readonly<Record<string, number>>
}

const program = `
const { url, body, clients } = JSON.parse(process.argv[1])
const statuses = {}
const from = performance.now()
let runs = true
const client = async () => {
  while (runs) {
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams(body) })
    await answer.arrayBuffer()
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
  }
}
process.on("SIGTERM", () => {
  runs = false
  const sum = Object.values(statuses).reduce((a, b) => a + b, 0)
  process.stdout.write(JSON.stringify({ perSecond: sum / ((performance.now() - from) / 1000), statuses }) + "\\n", () => process.exit())
})
console.log("runs")
await Promise.all(Array.from({ length: clients }, client))
`

/** Posts a form again and again, by some clients at once, from a process of its own until it is stopped. */
export const flood = async (url: string, body: Record<string, string>, clients: number) => {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--input-type=module", "-e", program, JSON.stringify({ url, body, clients })],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  let output = ""
  await new Promise<void>((runs) =>
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      runs()
    })
  )
  return {
    stop: async (): Promise<FloodResult> => {
      const ended = new Promise<void>((done) => child.once("close", () => done()))
      child.kill("SIGTERM")
      await ended
      return JSON.parse(output.split("\n")[1] ?? "") as FloodResult
    }
  }
}

const bareHashes = `
import { argon2, randomBytes } from "node:crypto"
const seconds = Number(process.argv[1])
const until = performance.now() + seconds * 1000
let count = 0
const one = (done) => {
  if (performance.now() > until) return done()
  const parameters = { message: "bench-password", nonce: randomBytes(16), parallelism: 1, tagLength: 32, memory: 19456, passes: 2 }
  argon2("argon2id", parameters, () => { count++; one(done) })
}
await Promise.all([1, 2].map(() => new Promise(one)))
console.log(count / seconds)
`

/** Hashes a second of a bare loop: argon2id of node:crypto with the program's parameters, two at a time. */
export const hashesPerSecond = (seconds: number): number =>
  Number(
    spawnSync(process.execPath, ["--input-type=module", "-e", bareHashes, String(seconds)], { encoding: "utf8" }).stdout
  )
