import { createServer, type IncomingMessage, request as ask, type Server, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import { pipeline } from "node:stream/promises"

/** What a request of a runner is about. */
export type Errand = "request" | "accept" | "input" | "result" | "other"

/** Where an exchange is held: before the server hears of it, in the middle of a body, or before its answer is told. */
export type Moment = "before" | "in the body" | "before the answer" | "in the answer"

export interface Hold {
  readonly errand: Errand
  readonly moment: Moment
}

const errandOf = (path: string): Errand => {
  const [, job, verb] = /^\/api\/v1\/runners\/jobs\/([^/]+)(?:\/([^/?]+))?/.exec(path) ?? []
  if (job === "request") return "request"
  if (verb === "accept") return "accept"
  if (verb === "files") return "input"
  return verb === "success" ? "result" : "other"
}

/** Bytes that are let through of a body whose length nobody tells. */
const firstBytes = 32 * 1024

/**
 * The way from a runner to its server: a relay on a loopback port that can hold exchanges at one moment, so that a step that
 * takes milliseconds lasts until somebody was killed in it.
 */
export class Gate {
  readonly target: number
  readonly port: number
  private hold: Hold | undefined
  /** How to let each exchange go on, and the UUID of its job ("" where it is about none). */
  private readonly waiting = new Map<() => void, string>()
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  constructor(port: number, target: number) {
    this.port = port
    this.target = target
    this.server = createServer((request, response) => void this.relay(request, response))
    this.server.on("connection", (socket) => this.keep(socket))
    this.server.on("upgrade", (request: IncomingMessage, near: Socket, head: Buffer) =>
      this.tunnel(request, near, head)
    )
  }

  get url() {
    return `http://127.0.0.1:${this.port}`
  }

  open(): Promise<void> {
    return new Promise((done) => this.server.listen(this.port, "127.0.0.1", () => done()))
  }

  /** UUIDs of the jobs whose exchanges are held now. */
  get held(): ReadonlyArray<string> {
    return [...this.waiting.values()]
  }

  /** Holds every such exchange from now on. */
  stop(hold: Hold): void {
    this.hold = hold
  }

  /** Lets go what is held, and all that comes. */
  release(): void {
    this.hold = undefined
    for (const go of this.waiting.keys()) go()
  }

  /** Lets go what is held of one job alone. */
  letGo(uuid: string): void {
    for (const [go, held] of this.waiting) if (held === uuid) go()
  }

  close(): Promise<void> {
    this.release()
    return new Promise((done) => {
      this.server.close(() => done())
      for (const socket of this.sockets) socket.destroy()
    })
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket)
    return socket.on("error", () => socket.destroy()).on("close", () => this.sockets.delete(socket))
  }

  /** Waits while this is held. */
  private async pass(path: string, moment: Moment): Promise<void> {
    const { hold } = this
    if (hold === undefined || hold.errand !== errandOf(path) || hold.moment !== moment) return
    await new Promise<void>((done) => {
      const go = () => {
        this.waiting.delete(go)
        done()
      }
      this.waiting.set(go, /\/jobs\/([^/]+)\//.exec(path)?.[1] ?? "")
    })
  }

  /** A body whose second half waits while it is held. */
  private halves(path: string, moment: Moment, length: number) {
    let left = length > 0 ? Math.floor(length / 2) : firstBytes
    const pass = () => this.pass(path, moment)
    return async function* (body: AsyncIterable<Buffer>) {
      for await (const chunk of body) {
        if (left < 0 || chunk.length <= left) yield chunk
        else {
          yield chunk.subarray(0, left)
          await pass()
          yield chunk.subarray(left)
        }
        if (left >= 0) left = chunk.length <= left ? left - chunk.length : -1
      }
    }
  }

  private async relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/"
    const { headers, method, socket } = request
    // Whoever is cut off on one side is on the other: a relay must not make up answers.
    const cut = () => void socket.destroy()
    await this.pass(path, "before")
    if (socket.destroyed) return
    const upstream = ask({ host: "127.0.0.1", port: this.target, path, method, headers, agent: false })
    socket.once("close", () => upstream.destroy())
    upstream.on("error", cut)
    upstream.once("response", (answer) => {
      answer.on("error", cut)
      void (async () => {
        await this.pass(path, "before the answer")
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        await pipeline(answer, this.halves(path, "in the answer", Number(answer.headers["content-length"])), response)
      })().catch(cut)
    })
    await pipeline(request, this.halves(path, "in the body", Number(headers["content-length"])), upstream).catch(cut)
  }

  private tunnel(request: IncomingMessage, near: Socket, head: Buffer): void {
    const far = this.keep(connect(this.target, "127.0.0.1"))
    const lines = request.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []))
    far.write([`${request.method} ${request.url} HTTP/1.1`, ...lines, "", ""].join("\r\n"))
    far.write(head)
    near.once("close", () => far.destroy())
    far.once("close", () => near.destroy())
    near.pipe(far).pipe(near)
  }
}
