import { statSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type KinoraProcess, until } from "../support/KinoraProcess.ts"
import { type NodesOfOne, startNodes } from "../support/NodesOfOne.ts"
import { type CreatedVideo, createResumable, putChunk, uploadMultipart, type VideoAnswer } from "../support/Uploads.ts"
import { plainClip } from "../video/upload/Clips.ts"

/** Fifteen of fifteen were tried by hand: the fault of one node taking the file of another came up in every fourth upload. */
const rounds = 4
const together = 15

describe("uploads to three nodes of one instance", () => {
  let set: NodesOfOne
  const file = plainClip()
  const size = statSync(file).size

  beforeAll(async () => {
    set = await startNodes(3, { KINORA_RATES_LIMIT_API_MAX: "100000" })
  }, 120_000)
  afterAll(() => set?.remove())

  const nodeOf = (nth: number): KinoraProcess => set.nodes[nth % set.nodes.length]!
  const whole = async (nth: number): Promise<CreatedVideo> => {
    const answer = await uploadMultipart(nodeOf(nth), set.auth, file, { name: `Form ${nth}`, privacy: "1" })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`form: ${answer.status} ${text}`)
    return (JSON.parse(text) as { video: CreatedVideo }).video
  }

  /** Begun on one node, each third of the bytes brought to the next. */
  const inThirds = async (nth: number): Promise<CreatedVideo> => {
    const path = await createResumable(nodeOf(nth), set.auth, size, { name: `Thirds ${nth}`, privacy: 1 })
    const ends = [0, Math.floor(size / 3), Math.floor((2 * size) / 3), size]
    for (let third = 0; third < 3; third++) {
      const answer = await putChunk(nodeOf(nth + third + 1), set.auth, path, file, ends[third]!, ends[third + 1]!, size)
      const text = await answer.text()
      if (third < 2)
        expect([answer.status, answer.headers.get("range")]).toEqual([308, `bytes=0-${ends[third + 1]! - 1}`])
      else if (answer.status !== 200) throw new Error(`last third: ${answer.status} ${text}`)
      else return (JSON.parse(text) as { video: CreatedVideo }).video
    }
    throw new Error("unreachable")
  }

  const published = ({ uuid }: CreatedVideo, at: KinoraProcess) =>
    until(`${uuid} to be published`, 120, async () => {
      const video = await at.json<VideoAnswer>(`/api/v1/videos/${uuid}`, set.auth)
      if (video.state.id === 7) throw new Error(`${video.name} failed`)
      return video.state.id === 1 && video.files.length > 0 ? video : undefined
    })

  it("each become a video, whichever node does the work", { timeout: 600_000 }, async () => {
    for (let round = 0; round < rounds; round++) {
      const made = await Promise.all(
        Array.from({ length: together }, (_, nth) => (nth % 2 === 0 ? whole(nth) : inThirds(nth)))
      )
      for (const [nth, video] of made.entries()) await published(video, nodeOf(nth + round))
    }
    const failed = await nodeOf(0).json<{ total: number }>("/api/v1/jobs/failed", set.auth)
    expect(failed.total).toBe(0)
    for (const node of set.nodes) expect(node.output).not.toContain("unexpected")
  })

  it(
    "go on at another node when theirs is killed, and refuse two that bring bytes at once",
    { timeout: 120_000 },
    async () => {
      const [, second, third] = set.nodes as [KinoraProcess, KinoraProcess, KinoraProcess]
      const path = await createResumable(second, set.auth, size, { name: "Of a dead node", privacy: 1 })
      const status = async () => {
        const answer = await fetch(third.url + path, {
          method: "PUT",
          headers: { ...set.auth, "content-range": `bytes */${size}` }
        })
        await answer.body?.cancel()
        return answer
      }
      // A request that brings some bytes and then nothing keeps the upload, until its node dies.
      const silent = new TransformStream<Uint8Array, Uint8Array>()
      const writer = silent.writable.getWriter()
      const hanging = fetch(second.url + path, {
        method: "PUT",
        headers: {
          ...set.auth,
          "content-type": "application/octet-stream",
          "content-range": `bytes 0-${size - 1}/${size}`
        },
        body: silent.readable,
        duplex: "half"
      } as RequestInit).catch(() => undefined)
      const talking = setInterval(() => void writer.write(new Uint8Array(16)).catch(() => undefined), 100)
      await until("the first request to hold the upload", 20, async () =>
        (await status()).status === 409 ? true : undefined
      )
      clearInterval(talking)
      await second.stop("SIGKILL")
      await hanging
      const from = await until("the upload to be free", 20, async () => {
        const answer = await status()
        if (answer.status !== 308) return undefined
        const range = answer.headers.get("range")
        return range === null ? 0 : Number(range.split("-")[1]) + 1
      })
      const answer = await putChunk(third, set.auth, path, file, from, size, size)
      const text = await answer.text()
      expect([answer.status, text]).toEqual([200, expect.stringContaining("uuid")])
      await published((JSON.parse(text) as { video: CreatedVideo }).video, nodeOf(0))
      await second.start()
    }
  )
})
