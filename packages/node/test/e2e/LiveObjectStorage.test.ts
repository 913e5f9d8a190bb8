import { Effect, Exit, Scope } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeS3Server, s3Keys, type S3Server } from "../../../storage/test/support/objects/S3Server.ts"
import { browserFlags } from "../support/Browser.ts"
import { freePort, KinoraProcess, until } from "../support/KinoraProcess.ts"
import { type CreatedLive, liveMaker } from "../support/LiveMaker.ts"
import { publishLive } from "../support/Publisher.ts"

const published = 1

interface StoredFile {
  readonly fileUrl: string
  readonly size: number
  readonly storage: number
}

describe("a live whose segments go to object storage", () => {
  const scope = Scope.makeUnsafe()
  let server: S3Server
  let node: KinoraProcess
  let maker: Awaited<ReturnType<typeof liveMaker>>
  let browser: Browser
  let live: CreatedLive
  let publisher: Awaited<ReturnType<typeof publishLive>>

  beforeAll(async () => {
    server = await Effect.runPromise(Scope.provide(makeS3Server(["web-videos", "streaming-playlists"]), scope))
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(await freePort()),
      KINORA_LIVE_TRANSCODING_ENABLED: "false",
      KINORA_OBJECT_STORAGE_ENABLED: "true",
      KINORA_OBJECT_STORAGE_ENDPOINT: server.endpoint,
      KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      KINORA_OBJECT_STORAGE_CREDENTIALS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey
    })
    await node.start()
    maker = await liveMaker(node)
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
    live = await maker.create({ saveReplay: true, replaySettings: { privacy: 1 } })
    publisher = await publishLive(live.address, [])
    await maker.untilState(live.id, published)
  })
  afterAll(async () => {
    publisher?.cut()
    await browser?.close()
    await node?.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Paths of the segments that are offered now. */
  const segments = async (): Promise<ReadonlyArray<string>> => {
    const { streamingPlaylists } = await maker.videoOf(live.id)
    const master = new URL(streamingPlaylists[0]!.playlistUrl)
    const version = (await (await node.get(master.pathname)).text())
      .split("\n")
      .find((line) => /^[^#]+\.m3u8/.test(line))!
    const address = new URL(version, master)
    const lines = (await (await node.get(address.pathname)).text()).split("\n")
    return lines.filter((line) => line !== "" && !line.startsWith("#")).map((it) => new URL(it, address).pathname)
  }

  const newest = async () => (await segments()).at(-1)!
  const statusOf = async (path: string) => (await node.get(path)).status

  it("is watched from there", async () => {
    const path = await until("a segment", 60, newest)
    const answer = await node.get(path)
    expect(answer.status).toBe(302)
    const there = await fetch(answer.headers.get("location")!)
    expect(there.status).toBe(200)
    expect((await there.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    const page = await browser.newPage()
    const complaints: Array<string> = []
    page.on("console", (m) => m.type() === "error" && complaints.push(`${m.text()} ${m.location().url}`))
    server.proxy.seen.length = 0
    await page.goto(`${node.url}/videos/embed/${live.uuid}?muted=1&autoplay=1`)
    const time = () => page.evaluate("document.querySelector('video')?.currentTime ?? -1") as Promise<number>
    const begun = await until("playback", 60, async () => ((await time()) > 0 ? await time() : undefined))
    await until("five seconds of it", 60, async () => ((await time()) > begun + 5 ? true : undefined))
    expect(server.proxy.seen.filter(({ method, signed }) => method === "GET" && !signed).length).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it("goes on from the disk while the storage is away, and from there afterwards", async () => {
    server.proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" })
    await until("a segment on disk", 60, async () => ((await statusOf(await newest())) === 200 ? true : undefined))
    server.proxy.fault = () => undefined
    await until("a segment in object storage", 60, async () =>
      (await statusOf(await newest())) === 302 ? true : undefined
    )
    const all = await Promise.all((await segments()).map(statusOf))
    expect(all.every((status) => status === 200 || status === 302)).toBe(true)
  })

  it("becomes a replay in object storage, and leaves nothing of itself there or on disk", async () => {
    publisher.end()
    await maker.untilState(live.id, published, false)
    const files = await until("the replay in object storage", 90, async () => {
      const { streamingPlaylists } = await maker.videoOf(live.id)
      const found = streamingPlaylists.flatMap((one) => one.files as unknown as ReadonlyArray<StoredFile>)
      return found.length > 0 && found.every(({ storage }) => storage === 1) ? found : undefined
    })
    for (const { fileUrl, size } of files) {
      const bytes = await (await fetch(fileUrl)).arrayBuffer()
      expect(bytes.byteLength).toBe(size)
    }
    const names = () =>
      [join(server.directory, "streaming-playlists"), join(node.dataDir, "streaming-playlists")].flatMap((folder) =>
        readdirSync(folder, { recursive: true }).map(String)
      )
    await until("the segments to be gone", 120, async () =>
      names().some((name) => /\.(?:ts|m4s)(?:\._S3rver_object)?$/.test(name)) ? undefined : true
    )
  })
})
