import { createServer, type Socket } from "node:net"
import { kindOf } from "./Hosts.ts"

/** All the hosts in one process. It is told "report" and says what has arrived since, by type and host. */
export interface Arrival {
  readonly host: string
  readonly type: string
  readonly id: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const slowMillis = 9_000
let arrivals: Array<Arrival> = []

const answer = (socket: Socket) => socket.write("HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n")

const server = createServer((socket) => {
  socket.on("error", () => {})
  const address = (socket.localAddress ?? "").replace(/^::ffff:/, "")
  const kind = kindOf(address)
  if (kind === "silent") return
  let text = ""
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1")
    for (;;) {
      const head = text.indexOf("\r\n\r\n")
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      const body = text.slice(head + 4, head + 4 + length)
      text = text.slice(head + 4 + length)
      if (kind === "slow") {
        setTimeout(() => socket.writable && answer(socket), slowMillis)
        continue
      }
      const { id, type } = JSON.parse(Buffer.from(body, "latin1").toString()) as { id: string; type: string }
      arrivals.push({ host: `${address}:${socket.localPort}`, type, id, at: Date.now() })
      answer(socket)
    }
  })
})

server.listen({ host: "0.0.0.0", port: 0, backlog: 4_096 }, () => {
  process.send?.({ port: (server.address() as { port: number }).port })
})
process.on("message", () => {
  process.send?.({ arrivals })
  arrivals = []
})
process.on("disconnect", () => process.exit(0))
