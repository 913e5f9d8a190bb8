import { createConnection, createServer, type Server, type Socket } from "node:net"

/**
 * A cable between two programs, from a loopback port to a unix socket or to another port: it can be pulled, made slow, or
 * left in place while nothing passes.
 */
export class Cable {
  readonly port: number
  readonly target: string | number
  /** Milliseconds that each piece of what is sent takes longer. */
  delay = 0
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()
  private passes: Promise<void> = Promise.resolve()
  private letPass = () => {}

  constructor(port: number, target: string | number) {
    this.port = port
    this.target = target
  }

  plug(): Promise<void> {
    const server = createServer((near) => {
      const far =
        typeof this.target === "number" ? createConnection(this.target, "127.0.0.1") : createConnection(this.target)
      for (const socket of [near, far]) {
        this.sockets.add(socket)
        socket.on("error", () => socket.destroy())
        socket.on("close", () => {
          this.sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      void this.carry(near, far)
      void this.carry(far, near)
    })
    this.server = server
    return new Promise((done) => server.listen(this.port, "127.0.0.1", () => done()))
  }

  private async carry(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        if (this.delay > 0) await new Promise((next) => setTimeout(next, this.delay))
        await this.passes
        if (!to.write(piece)) await new Promise((next) => to.once("drain", next).once("close", next))
      }
      to.end()
    } catch {
      to.destroy()
    }
  }

  /** Nothing passes any more, and nobody hears of it. */
  block(): void {
    this.passes = new Promise((done) => (this.letPass = done))
  }

  /** Everything passes again, what was sent meanwhile too. */
  unblock(): void {
    this.letPass()
    this.passes = Promise.resolve()
  }

  /** Cuts what is connected, at once; new connections are refused. */
  pull(): Promise<void> {
    const { server } = this
    this.server = undefined
    for (const socket of this.sockets) socket.destroy()
    return new Promise((done) => (server === undefined ? done() : server.close(() => done())))
  }
}
