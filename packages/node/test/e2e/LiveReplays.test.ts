import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { selfSigned } from "../../../federation/test/fetch/support/Certificates.ts"
import { freePort, KinoraProcess } from "../support/KinoraProcess.ts"
import { liveMaker } from "../support/LiveMaker.ts"
import { ffmpeg, liveSource, publishLive } from "../support/Publisher.ts"

const published = 1

describe("replays of lives", () => {
  const folder = mkdtempSync(join(tmpdir(), "kinora-replays-"))
  let node: KinoraProcess
  let maker: Awaited<ReturnType<typeof liveMaker>>

  beforeAll(async () => {
    const { cert, key } = selfSigned(["127.0.0.1"])
    writeFileSync(join(folder, "key.pem"), key)
    writeFileSync(join(folder, "cert.pem"), cert)
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(await freePort()),
      KINORA_LIVE_RTMPS_ENABLED: "true",
      KINORA_LIVE_RTMPS_PORT: String(await freePort()),
      KINORA_LIVE_RTMPS_KEY_FILE: join(folder, "key.pem"),
      KINORA_LIVE_RTMPS_CERT_FILE: join(folder, "cert.pem"),
      KINORA_LIVE_TRANSCODING_ENABLED: "false"
    })
    await node.start()
    maker = await liveMaker(node)
  })
  afterAll(async () => {
    await node.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A digest for each decoded picture, or for each packet of sound. */
  const digests = async (file: string, what: "video" | "audio"): Promise<ReadonlyArray<string>> => {
    const how = what === "video" ? ["-map", "0:v", "-fps_mode", "passthrough"] : ["-map", "0:a", "-c", "copy"]
    const args = ["-v", "error", "-i", file, ...how, "-f", "framemd5", "-"]
    const text = execFileSync(await ffmpeg(), args, { maxBuffer: 2 ** 26 }).toString()
    // A comment, or: stream, two times, duration, size, digest.
    return text.split("\n").flatMap((line) => (line.startsWith("#") ? [] : (line.split(",")[5]?.trim() ?? [])))
  }

  it("hold every picture and every sound that was sent by RTMPS", async () => {
    const live = await maker.create({ saveReplay: true, replaySettings: { privacy: 1 } })
    expect(live.rtmpsUrl).toMatch(/^rtmps:\/\//)
    const publisher = await publishLive(`${live.rtmpsUrl}/${live.streamKey}`, ["-t", "12"])
    await maker.untilState(live.id, published)
    await publisher.ended
    const replay = await maker.untilState(live.id, published, false)
    const { fileDownloadUrl } = replay.streamingPlaylists[0]!.files[0]!
    const file = join(folder, "replay.mp4")
    writeFileSync(file, new Uint8Array(await (await node.get(new URL(fileDownloadUrl).pathname)).arrayBuffer()))

    const source = await liveSource()
    const pictures = await digests(file, "video")
    expect(pictures.length).toBe(300)
    expect(pictures).toEqual((await digests(source, "video")).slice(0, 300))
    const sounds = await digests(file, "audio")
    expect(sounds.length).toBeGreaterThan(500)
    const sent = await digests(source, "audio")
    expect(sounds).toEqual(sent.slice(0, sounds.length))
  })
})
