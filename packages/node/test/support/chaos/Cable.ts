import { createConnection, createServer, type Server, type Socket } from "node:net"

/** A cable between a program and its database that can be pulled: a relay from a loopback port to a unix socket. */
export class Cable {
  readonly port: number
  readonly target: string
  private server: Server | undefined
  private readonly sockets = new Set<Socket>()

  constructor(port: number, target: string) {
    this.port = port
    this.target = target
  }

  plug(): Promise<void> {
    const server = createServer((near) => {
      const far = createConnection(this.target)
      for (const socket of [near, far]) {
        this.sockets.add(socket)
        socket.on("error", () => socket.destroy())
        socket.on("close", () => {
          this.sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far).pipe(near)
    })
    this.server = server
    return new Promise((done) => server.listen(this.port, "127.0.0.1", () => done()))
  }

  /** Cuts what is connected, at once; new connections are refused. */
  pull(): Promise<void> {
    const { server } = this
    this.server = undefined
    for (const socket of this.sockets) socket.destroy()
    return new Promise((done) => (server === undefined ? done() : server.close(() => done())))
  }
}
