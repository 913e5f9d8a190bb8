/**
 * Sockets of users who are told what is new, in a process of their own. Reads tokens from a file, one a line; prints "ready"
 * when all are connected, and for each line of its input the milliseconds from then until every socket was told once more:
 * half of them, nine in ten, all. Ends with its standard input.
 *
 * `node SocketLoad.ts <port> <file of tokens>`
 */
import { readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"
import { createInterface } from "node:readline"
import { io, type Socket } from "socket.io-client"

const [port, file] = process.argv.slice(2)
const tokens = readFileSync(file!, "utf8").trim().split("\n")
let told: Array<number> = []
let wake: (() => void) | undefined

/** As many clients as sockets: one client may have no more than some hundred. */
const addressOf = (n: number) => `10.${Math.floor(n / 65_536) % 256}.${Math.floor(n / 256) % 256}.${n % 256}`

const open = (token: string, n: number): Promise<Socket> =>
  new Promise((done, fail) => {
    const socket = io(`http://127.0.0.1:${port}/user-notifications`, {
      auth: { accessToken: token },
      transports: ["websocket"],
      reconnection: false,
      forceNew: true,
      extraHeaders: { "x-forwarded-for": addressOf(n) }
    })
    socket.once("connect", () => done(socket))
    socket.once("connect_error", fail)
    socket.on("new-notification", () => {
      told.push(performance.now())
      if (told.length >= tokens.length) wake?.()
    })
  })

for (let n = 0; n < tokens.length; n += 50) {
  await Promise.all(tokens.slice(n, n + 50).map((token, i) => open(token, n + i)))
}
console.log("ready")

for await (const _ of createInterface({ input: process.stdin })) {
  const from = performance.now()
  told = []
  await new Promise<void>((done) => {
    wake = done
    setTimeout(done, 30_000)
  })
  const sorted = told.map((at) => at - from).toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(tokens.length * share) - 1)] ?? -1
  console.log(JSON.stringify({ told: sorted.length, half: at(0.5), most: at(0.9), all: at(1) }))
}
process.exit(0)
