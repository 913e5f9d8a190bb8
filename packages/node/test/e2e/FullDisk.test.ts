import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeClip } from "../support/chaos/Stage.ts"
import { fill } from "../support/FullFile.ts"
import { KinoraProcess, rootPassword, until } from "../support/KinoraProcess.ts"
import { uploadMultipart } from "../support/Uploads.ts"

/** A file system of its own for the data folder, where this process may mount one. */
const mounted = (folder: string): boolean => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=220m,mode=755", "tmpfs", folder], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

describe("the disk of database and files is full", { timeout: 240_000 }, () => {
  let node: KinoraProcess
  let isMounted = false
  const clip = makeClip()

  beforeAll(async () => {
    node = await KinoraProcess.create({ KINORA_UPLOADS_RESERVE_DISK: "0", KINORA_LOG_ROTATION_ENABLED: "false" })
    isMounted = mounted(node.dataDir)
    chmodSync(node.dataDir, 0o755)
    if (isMounted) await node.start()
  })
  afterAll(async () => {
    if (isMounted) {
      rmSync(join(node.dataDir, "ballast"), { force: true })
      await node.stop()
      execFileSync("umount", [node.dataDir])
    }
    await node.remove()
  })

  it("refuses what it cannot write with 503 or 507, never 500, and goes on when there is room", async ({ skip }) => {
    if (!isMounted) skip("no file system can be mounted here")
    const auth = await node.login()
    const ballast = join(node.dataDir, "ballast")
    fill(ballast)
    const statuses = new Map<string, Set<number>>()
    const note = async (what: string, answer: Promise<Response>) => {
      const response = await answer
      await response.arrayBuffer()
      statuses.set(what, (statuses.get(what) ?? new Set()).add(response.status))
      return response.status
    }
    const post = (path: string, body: unknown, method = "POST") =>
      fetch(node.url + path, {
        method,
        headers: { ...auth, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    const description = "words ".repeat(160)
    let refused = 0
    for (let turn = 0; turn < 400 && refused < 20; turn++) {
      const status = await note(
        "channel",
        post("/api/v1/video-channels", { name: `c${turn}`, displayName: "C", description })
      )
      if (status >= 500) refused++
      await note("me", post("/api/v1/users/me", { displayName: `Root ${turn}`, description }, "PUT"))
      await note("list", node.get("/api/v1/videos"))
      if (turn % 10 === 0) await note("upload", uploadMultipart(node, auth, clip, { name: `Upload ${turn}` }))
      if (turn % 10 === 5) {
        const client = await node.get("/api/v1/oauth-clients/local")
        const known = client.status === 200 ? ((await client.json()) as Record<string, string>) : {}
        const body = new URLSearchParams({ ...known, grant_type: "password", username: "root", password: rootPassword })
        await note("login", fetch(`${node.url}/api/v1/users/token`, { method: "POST", body }))
      }
    }
    for (const [what, seen] of statuses) expect([...seen], `${what}\n${node.output.slice(-3000)}`).not.toContain(500)
    expect(refused).toBeGreaterThan(0)
    expect(node.output).toContain("The disk of the database is full")
    rmSync(ballast)
    await until("a channel again", 60, async () =>
      (await post("/api/v1/video-channels", { name: "after", displayName: "After" })).status === 200 ? true : undefined
    )
    expect(existsSync(ballast)).toBe(false)
    // Tasks wait: none of them died of it.
    const { tasks } = await node.json<{
      tasks: ReadonlyArray<{ name: string; state: string; restarts: number; lastCause: string }>
    }>("/api/v1/server/debug", auth)
    expect(tasks.length).toBeGreaterThan(10)
    expect(tasks.filter(({ restarts, state }) => restarts > 0 || state !== "running")).toEqual([])
  })
})
