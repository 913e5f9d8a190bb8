import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Cable } from "../support/chaos/Cable.ts"
import { embeddedServer } from "../support/EmbeddedServer.ts"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"

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
    await until("the message", 60, async () => (/database/i.test(node.output) ? true : undefined))
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
    const away = await until("503", 60, async () => {
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
