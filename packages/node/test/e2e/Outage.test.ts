import { readFileSync } from "node:fs"
import { createConnection, createServer, type Server, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { embeddedServer } from "../support/EmbeddedServer.ts"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"

/** A cable between the program and its database that can be pulled: a relay from a loopback port to a unix socket. */
class Cable {
  readonly port: number
  readonly target: string
  server: Server | undefined
  sockets = new Set<Socket>()

  constructor(port: number, target: string) {
    this.port = port
    this.target = target
  }

  plug(): Promise<void> {
    this.server = createServer((near) => {
      const far = createConnection(this.target)
      for (const s of [near, far]) {
        this.sockets.add(s)
        s.on("error", () => s.destroy())
        s.on("close", () => {
          this.sockets.delete(s)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far)
      far.pipe(near)
    })
    return new Promise((done) => this.server?.listen(this.port, "127.0.0.1", () => done()))
  }

  pull(): Promise<void> {
    for (const s of this.sockets) s.destroy()
    return new Promise((done) => (this.server ? this.server.close(() => done()) : done()))
  }
}

describe("the database goes away", () => {
  let host: KinoraProcess
  let node: KinoraProcess
  let cable: Cable

  beforeAll(async () => {
    // The first instance lends its embedded server; the second reaches it through the cable.
    host = await KinoraProcess.create()
    await host.start()
    const { password, socket } = embeddedServer(host.dataDir)
    cable = new Cable(await freePort(), socket)
    const url = `postgresql://kinora:${encodeURIComponent(password)}@127.0.0.1:${cable.port}/postgres`
    node = await KinoraProcess.create({ DATABASE_URL: url })
  })
  afterAll(async () => {
    await node.remove()
    await cable.pull()
    await host.remove()
  })

  it("waits at start with a clear message and starts when the database comes", async () => {
    node.spawn()
    await until("the message", 30, async () => (/database/i.test(node.output) ? true : undefined))
    expect(node.child?.exitCode).toBeNull()
    await cable.plug()
    await until("the list", 60, async () => {
      const answer = await node.get("/api/v1/videos").catch(() => undefined)
      return answer?.status === 200 ? true : undefined
    })
  })

  it("answers 503 with Retry-After while it is away, lives, and resumes", async () => {
    const pid = node.child?.pid
    await cable.pull()
    const away = await until("503", 30, async () => {
      const answer = await node.get("/api/v1/videos?sort=-views")
      expect([200, 503]).toContain(answer.status)
      return answer.status === 503 ? answer : undefined
    })
    expect(Number(away.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(away.headers.get("content-type")).toContain("application/problem+json")
    expect((await node.get("/api/v1/ping")).status).toBe(200)
    await cable.plug()
    await until("200 again", 60, async () => {
      const { status } = await node.get("/api/v1/videos?sort=-views")
      expect([200, 503]).toContain(status)
      return status === 200 ? true : undefined
    })
    expect(node.child?.pid).toBe(pid)
    expect(readFileSync(`/proc/${pid}/status`, "utf8")).toContain("State:")
  })
})
