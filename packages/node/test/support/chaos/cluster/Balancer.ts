import { type IncomingMessage, createServer, request as ask, type Server, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"

/** A node: where it answers, and where it says whether it is ready (docs/operating.md). */
export interface Address {
  readonly port: number
  readonly readyPort: number
}

interface Backend extends Address {
  /** Whether it answered when it was last looked at. */
  up: boolean
}

const lookEvery = 500
const lookFor = 2000
/** As nginx waits for a server that says nothing. */
const answersWithin = 60_000

/**
 * A small reverse proxy before nodes: each request goes to the next node that is up. One that cannot be connected to is passed over;
 * what was sent to a node is never sent to another one: a lost node is an error of whoever asked.
 */
export class Balancer {
  readonly port: number
  private readonly backends: ReadonlyArray<Backend>
  private readonly server: Server
  private readonly looking: NodeJS.Timeout
  private readonly sockets = new Set<Socket>()
  private turn = 0

  private constructor(port: number, addresses: ReadonlyArray<Address>) {
    this.port = port
    this.backends = addresses.map((one) => ({ ...one, up: true }))
    this.server = createServer((request, response) => this.pass(request, response, new Set()))
    // Else it closes idle connections of viewers in the moment in which they are used again.
    this.server.keepAliveTimeout = 600_000
    this.server.on("upgrade", (request, socket, head) => this.tunnel(request, socket as Socket, head))
    this.server.on("connection", (socket) => {
      this.sockets.add(socket)
      socket.on("close", () => this.sockets.delete(socket))
    })
    this.looking = setInterval(() => {
      for (const one of this.backends) this.look(one)
    }, lookEvery)
  }

  static async start(port: number, addresses: ReadonlyArray<Address>): Promise<Balancer> {
    const balancer = new Balancer(port, addresses)
    await new Promise<void>((done) => balancer.server.listen(port, "127.0.0.1", done))
    return balancer
  }

  private look(backend: Backend): void {
    const request = ask({ host: "127.0.0.1", port: backend.readyPort, path: "/ready", agent: false, timeout: lookFor })
    request.on("timeout", () => request.destroy(new Error("silent")))
    request.on("error", () => (backend.up = false))
    request.on("response", (answer) => {
      backend.up = answer.statusCode === 200
      answer.resume()
    })
    request.end()
  }

  /** Where none is ready, any: its answer says why. */
  private next(tried: ReadonlySet<Backend>): Backend | undefined {
    const untried = this.backends.filter((one) => !tried.has(one))
    const ready = untried.filter(({ up }) => up)
    const left = ready.length > 0 ? ready : untried
    return left[this.turn++ % Math.max(1, left.length)]
  }

  private pass(request: IncomingMessage, response: ServerResponse, tried: Set<Backend>): void {
    const backend = this.next(tried)
    if (backend === undefined) return refuse(response, 502)
    tried.add(backend)
    let sent = false
    const forward = ask({
      host: "127.0.0.1",
      port: backend.port,
      method: request.method,
      path: request.url,
      headers: headersOf(request),
      agent: false,
      timeout: answersWithin
    })
    forward.on("socket", (socket) =>
      socket.once("connect", () => {
        sent = true
        request.pipe(forward)
      })
    )
    forward.on("timeout", () => {
      refuse(response, 504)
      forward.destroy()
    })
    forward.on("error", () => {
      if (sent) return refuse(response, 502)
      backend.up = false
      this.pass(request, response, tried)
    })
    forward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on("error", () => response.destroy())
      answer.on("aborted", () => response.destroy())
      answer.pipe(response)
    })
    response.on("close", () => forward.destroy())
  }

  private tunnel(request: IncomingMessage, near: Socket, head: Buffer): void {
    const backend = this.next(new Set())
    if (backend === undefined) return void near.destroy()
    const far = connect(backend.port, "127.0.0.1", () => {
      const lines = Object.entries(headersOf(request)).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}: ${String(value)}`]
      )
      far.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`)
      far.write(head)
      near.pipe(far).pipe(near)
    })
    for (const [one, other] of [
      [near, far],
      [far, near]
    ] as const) {
      one.on("error", () => other.destroy())
      one.on("close", () => other.destroy())
    }
  }

  async close(): Promise<void> {
    clearInterval(this.looking)
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((done) => void this.server.close(() => done()))
  }
}

const headersOf = (request: IncomingMessage) => ({
  ...request.headers,
  "x-forwarded-for": request.socket.remoteAddress ?? "127.0.0.1",
  "x-forwarded-proto": "http"
})

const refuse = (response: ServerResponse, status: number): void => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { "content-type": "text/plain", "x-balancer": "refused" })
  response.end()
}
