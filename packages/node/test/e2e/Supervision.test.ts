import { existsSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { kill } from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"

interface Task {
  readonly name: string
  readonly state: string
  readonly restarts: number
  readonly lastCause: string | null
}

const task = "embedded PostgreSQL"

/** Process id of the embedded server of an instance, as its file tells; undefined while there is none. */
const postmaster = (node: KinoraProcess): number | undefined => {
  const file = join(node.dataDir, "postgres/data/postmaster.pid")
  return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : undefined
}

const killServer = (node: KinoraProcess): number => {
  const pid = postmaster(node)
  if (pid === undefined) throw new Error("the embedded server does not run")
  kill(pid, "SIGKILL")
  return pid
}

describe("the embedded database server dies", () => {
  let node: KinoraProcess
  let auth: Record<string, string>

  beforeAll(async () => {
    node = await KinoraProcess.create()
    await node.start()
    auth = await node.login()
  })
  afterAll(() => node.remove())

  it("is started again, and everything resumes", async () => {
    const pid = node.child?.pid
    const before = killServer(node)
    await until("another server", 60, async () => {
      const now = postmaster(node)
      return now === undefined || now === before ? undefined : now
    })
    const answered = await until("the list", 60, async () => {
      const answer = await node.get("/api/v1/videos?sort=-views")
      expect([200, 503]).toContain(answer.status)
      return answer.status === 200 ? answer : undefined
    })
    expect(await answered.json()).toEqual({ total: 0, data: [] })
    const tasks = await until("all tasks to run", 60, async () => {
      const answer = await node.get("/api/v1/server/debug", auth)
      expect([200, 503]).toContain(answer.status)
      if (answer.status !== 200) return undefined
      const found = ((await answer.json()) as { tasks: ReadonlyArray<Task> }).tasks
      return found.every((one) => one.state === "running") ? found : undefined
    })
    expect(tasks.map((one) => one.name)).toContain(task)
    expect(node.output).toContain("PostgreSQL ended unexpectedly")
    expect(node.child?.pid).toBe(pid)
    // What was written before is still there.
    expect((await node.get("/api/v1/users/me", auth)).status).toBe(200)
  })

  it("ends the program with its cause when it cannot live", async () => {
    const data = join(node.dataDir, "postgres/data")
    killServer(node)
    renameSync(data, `${data}-away`)
    await until("503", 60, async () => ((await node.get("/api/v1/videos")).status === 503 ? true : undefined))
    const backingOff = await until("the message of a restart", 60, async () =>
      /restart 1 of 5/.test(node.output) ? node.output : undefined
    )
    expect(backingOff).toContain(task)
    expect((await node.get("/api/v1/ping")).status).toBe(200)
    expect(await node.exit(120)).toBe(1)
    expect(node.output).toContain(`task ${task} cannot live, the process ends`)
    expect(node.output).toContain("PostgreSQL does not start")
    renameSync(`${data}-away`, data)
    await node.start()
    expect((await node.get("/api/v1/users/me", auth)).status).toBe(200)
  })
})
