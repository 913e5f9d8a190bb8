import { execFileSync } from "node:child_process"
import { statSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openDatabase } from "../support/EmbeddedServer.ts"
import { instanceFiles } from "../support/InstanceFiles.ts"
import { KinoraProcess, root, until } from "../support/KinoraProcess.ts"
import {
  bigBuckBunny,
  type CreatedVideo,
  createResumable,
  putChunk,
  untilReady,
  uploadMultipart
} from "../support/Uploads.ts"

/** The first ten seconds of it: a ladder that is waited for. */
const tenSeconds = () => {
  const args = [join(root, "scripts/fixtures/generate.ts"), "bbb-10.mp4"]
  return join(execFileSync(process.execPath, args, { encoding: "utf8" }).trim(), "bbb-10.mp4")
}

describe("from upload to renditions", () => {
  let node: KinoraProcess
  let auth: Record<string, string>
  const small = { KINORA_TRANSCODING_RESOLUTIONS_1080P: "false", KINORA_TRANSCODING_RESOLUTIONS_720P: "false" }

  beforeAll(async () => {
    node = await KinoraProcess.create({ ...small, KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false" })
    await node.start()
    auth = await node.login()
  })
  afterAll(() => node.remove())

  it("publishes a browser-playable source at once and then makes the ladder", async () => {
    const answer = await uploadMultipart(node, auth, tenSeconds(), { name: "Bunny, multipart", privacy: "1" })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: CreatedVideo }
    const early = await untilReady(node, video.uuid, 1, 30)
    expect(early.duration).toBe(10)
    const done = await untilReady(node, video.shortUUID, 3)
    const heights = done.streamingPlaylists[0]?.files.map((f) => f.resolution.id).toSorted((a, b) => a - b) ?? []
    expect(heights).toContain(240)
    expect(heights).toContain(360)
    expect(heights).toContain(480)
    const list = await node.json<{ total: number; data: ReadonlyArray<{ uuid: string }> }>("/api/v1/videos")
    expect(list.total).toBe(1)
    expect(list.data[0]?.uuid).toBe(video.uuid)
    for (const file of [...done.files, ...(done.streamingPlaylists[0]?.files ?? [])]) {
      const head = await node.get(new URL(file.fileUrl).pathname, { range: "bytes=0-99" })
      expect(head.status).toBe(206)
      expect((await head.arrayBuffer()).byteLength).toBe(100)
      expect(head.headers.get("content-range")).toBe(`bytes 0-99/${file.size}`)
    }
  })

  it("resumes an upload that was cut off half-way by a kill -9", async () => {
    const size = statSync(bigBuckBunny).size
    const path = await createResumable(node, auth, size, { name: "Bunny, resumed", privacy: 1 })
    const half = 10_000_000
    const first = await putChunk(node, auth, path, bigBuckBunny, 0, half, size)
    expect(first.status).toBe(308)
    expect(first.headers.get("range")).toBe(`bytes=0-${half - 1}`)
    await node.stop("SIGKILL")
    await node.start()
    const ask = () =>
      fetch(node.url + path, {
        method: "PUT",
        headers: { ...auth, "content-range": `bytes */${size}`, "content-length": "0" }
      })
    const known = await ask()
    expect(known.status).toBe(308)
    expect(known.headers.get("range")).toBe(`bytes=0-${half - 1}`)
    const wrong = await putChunk(node, auth, path, bigBuckBunny, half + 5, half + 100, size)
    expect(wrong.status).toBe(409)
    expect((await ask()).headers.get("range")).toBe(`bytes=0-${half - 1}`)
    const rest = await putChunk(node, auth, path, bigBuckBunny, half, size, size)
    expect(rest.status).toBe(200)
    const { video } = (await rest.json()) as { video: CreatedVideo }
    const again = await putChunk(node, auth, path, bigBuckBunny, half, size, size)
    expect(again.status).toBe(200)
    expect(((await again.json()) as { video: CreatedVideo }).video.uuid).toBe(video.uuid)
    await untilReady(node, video.uuid, 1, 30)
    // Its ladder is of no interest here, and the next test would have to wait for it.
    const gone = await fetch(`${node.url}/api/v1/videos/${video.uuid}`, { method: "DELETE", headers: auth })
    expect(gone.status).toBe(204)
  })

  it("frees at its next start what it had reserved for a form that a kill -9 cut off", async () => {
    const announced = 300 * 1024 ** 2
    // Two of the size do not fit.
    const made = await fetch(`${node.url}/api/v1/users`, {
      method: "POST",
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify({
        username: "ada",
        password: "correct-horse-ada",
        email: "ada@example.com",
        role: 2,
        videoQuota: announced + 50 * 1024 ** 2,
        videoQuotaDaily: -1
      })
    })
    expect(made.status).toBe(200)
    const ada = await node.login("ada", "correct-horse-ada")
    const form = () => {
      const socket = connect(node.port, "127.0.0.1")
      socket.on("error", () => undefined)
      socket.write(
        `POST /api/v1/videos/upload HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada["authorization"]}\r\n` +
          `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${announced}\r\n\r\n--b\r\n` +
          'Content-Disposition: form-data; name="videofile"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n'
      )
      socket.write(Buffer.alloc(1024))
      return socket
    }
    const held = async () => {
      const database = openDatabase(node.dataDir)
      const rows = await database.runPromise(
        Effect.flatMap(SqlClient, (sql) => sql`select id from upload_session where size = ${announced - 64 * 1024}`)
      )
      await database.dispose()
      return rows
    }
    const half = form()
    await until("the reservation", 60, async () => ((await held()).length === 1 ? true : undefined))
    await expect(createResumable(node, ada, announced, { name: "Too much" })).rejects.toThrow("413")
    await node.stop("SIGKILL")
    half.destroy()
    await node.start()
    expect(await held()).toEqual([])
    const path = await createResumable(node, ada, announced, { name: "It fits" })
    expect((await fetch(node.url + path, { method: "DELETE", headers: ada })).status).toBe(204)
  })

  it("finishes a transcoding that was killed, once, and leaves nothing over", async () => {
    const answer = await uploadMultipart(node, auth, tenSeconds(), { name: "Bunny, killed", privacy: "1" })
    const { video } = (await answer.json()) as { video: CreatedVideo }
    await until("the ladder to be under way", 120, async () => {
      const jobs = await node.json<{ data: ReadonlyArray<{ type: string; data: unknown }> }>(
        "/api/v1/jobs/active",
        auth
      )
      return jobs.data.some((j) => j.type === "video-transcoding") &&
        (await node.get(`/api/v1/videos/${video.uuid}`)).status === 200
        ? true
        : undefined
    })
    await node.stop("SIGKILL")
    await node.start()
    const done = await untilReady(node, video.uuid, 3)
    const heights = done.streamingPlaylists[0]?.files.map((f) => f.resolution.id) ?? []
    expect(new Set(heights).size).toBe(heights.length)
    await until("the jobs to be done", 240, async () => {
      const [active, waiting] = await Promise.all(
        ["active", "waiting"].map((state) => node.json<{ total: number }>(`/api/v1/jobs/${state}`, auth))
      )
      return active?.total === 0 && waiting?.total === 0 ? true : undefined
    })
    const list = await node.json<{ total: number }>("/api/v1/videos?search=killed")
    expect(list.total).toBe(1)
    const gone = await fetch(`${node.url}/api/v1/videos/${video.uuid}`, { method: "DELETE", headers: auth })
    expect(gone.status).toBe(204)
    expect((await node.get(`/api/v1/videos/${video.uuid}`)).status).toBe(404)
    const left = () => instanceFiles(node.dataDir).filter((name) => name.includes(video.uuid))
    await until("the deleted video's files to go", 60, async () => (left().length === 0 ? true : undefined)).catch(() =>
      expect(left()).toEqual([])
    )
  })

  it("leaves no tool behind after an orderly stop", async () => {
    const answer = await uploadMultipart(node, auth, bigBuckBunny, { name: "Bunny, stopped", privacy: "1" })
    expect(answer.status).toBe(200)
    await until("an ffmpeg of ours", 60, async () =>
      execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(node.dataDir) ? true : undefined
    )
    expect(await node.stop("SIGTERM")).toBe(0)
    const left = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(node.dataDir))
    expect(left).toEqual([])
    await node.start()
  })
})
