import { Effect, Exit, Scope } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { existsSync, readdirSync, renameSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeS3Server, s3Keys, type S3Server } from "../../../storage/test/support/objects/S3Server.ts"
import { browserFlags } from "../support/Browser.ts"
import { KinoraProcess, until } from "../support/KinoraProcess.ts"
import { bigBuckBunny, type CreatedVideo, untilReady, uploadMultipart, type VideoAnswer } from "../support/Uploads.ts"
import { clip } from "../video/upload/Clips.ts"

interface StoredFile {
  readonly fileUrl: string
  readonly size: number
  readonly storage: number
}

const kinds = ["web-videos", "streaming-playlists", "original-video-files", "user-exports", "small-files"]

/** Names of all files below a folder. */
const filesBelow = (folder: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
        one.isFile() ? [join(one.parentPath, one.name)] : []
      )
    : []

const sha256 = (bytes: ArrayBuffer) => createHash("sha256").update(Buffer.from(bytes)).digest("hex")

describe("files in object storage", () => {
  const scope = Scope.makeUnsafe()
  let server: S3Server
  let node: KinoraProcess
  let auth: Record<string, string>
  let video: CreatedVideo
  let browser: Browser
  /** SHA-256 of each file of the video, by address. */
  const digests = new Map<string, string>()

  const inS3 = (bucket: string) =>
    filesBelow(join(server.directory, bucket)).filter((path) => path.endsWith("._S3rver_object"))
  const onDisk = (folder: string) => filesBelow(join(node.dataDir, folder))
  const details = (more: Record<string, string> = {}) =>
    node.json<VideoAnswer>(`/api/v1/videos/${video.uuid}`, { ...auth, ...more })
  const filesOf = ({ files, streamingPlaylists }: VideoAnswer) =>
    [...files, ...streamingPlaylists.flatMap((one) => one.files)] as unknown as ReadonlyArray<StoredFile>

  const readWhole = async (path: string) => await (await fetch(node.url + path, { headers: auth })).arrayBuffer()

  /** Every file has the bytes it had at first, wherever it is. */
  const expectSame = async () => {
    for (const [path, digest] of digests) expect(sha256(await readWhole(path)), path).toBe(digest)
  }

  beforeAll(async () => {
    server = await Effect.runPromise(Scope.provide(makeS3Server(kinds), scope))
    node = await KinoraProcess.create({
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_720P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_480P: "false",
      KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false",
      KINORA_TRANSCODING_WEB_VIDEOS_ENABLED: "true",
      KINORA_TRANSCODING_ORIGINAL_FILE_KEEP: "true",
      KINORA_OBJECT_STORAGE_ENABLED: "true",
      KINORA_OBJECT_STORAGE_ENDPOINT: server.endpoint,
      KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      KINORA_OBJECT_STORAGE_CREDENTIALS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
      KINORA_OBJECT_STORAGE_CAPTIONS_BUCKET_NAME: "small-files",
      KINORA_OBJECT_STORAGE_CAPTIONS_PREFIX: "captions/",
      KINORA_OBJECT_STORAGE_THUMBNAILS_BUCKET_NAME: "small-files",
      KINORA_OBJECT_STORAGE_THUMBNAILS_PREFIX: "thumbnails/",
      KINORA_OBJECT_STORAGE_TORRENTS_BUCKET_NAME: "small-files",
      KINORA_OBJECT_STORAGE_TORRENTS_PREFIX: "torrents/",
      KINORA_OBJECT_STORAGE_STORYBOARDS_BUCKET_NAME: "small-files",
      KINORA_OBJECT_STORAGE_STORYBOARDS_PREFIX: "storyboards/"
    })
    await node.start()
    auth = await node.login()
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await node?.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("takes an upload, its renditions, its pictures and its torrents", async () => {
    const file = clip("bunny.mp4", ["-i", bigBuckBunny, "-t", "12", "-c", "copy"])
    const answer = await uploadMultipart(node, auth, file, { name: "In object storage", privacy: "1" })
    expect(answer.status, node.output).toBe(200)
    video = ((await answer.json()) as { video: CreatedVideo }).video
    await untilReady(node, video.uuid, 2)
    const ready = await until("files in object storage", 60, async () => {
      const found = await details()
      return filesOf(found).length >= 4 && filesOf(found).every(({ storage }) => storage === 1) ? found : undefined
    })
    expect(onDisk("web-videos")).toEqual([])
    expect(onDisk("streaming-playlists")).toEqual([])
    for (const kind of ["web-videos", "streaming-playlists", "small-files"])
      expect(inS3(kind).length).toBeGreaterThan(0)
    for (const { fileUrl, size } of filesOf(ready)) {
      const { pathname } = new URL(fileUrl)
      const sent = await node.get(pathname, { range: "bytes=0-99" })
      expect(sent.status, pathname).toBe(302)
      expect(sent.headers.get("cache-control")).toBe("public, max-age=300")
      const there = sent.headers.get("location")!
      expect(there.startsWith(server.endpoint)).toBe(true)
      const part = await fetch(there, { headers: { range: "bytes=0-99", origin: "null" } })
      expect(part.status).toBe(206)
      expect(part.headers.get("content-range")).toBe(`bytes 0-99/${size}`)
      expect(part.headers.get("access-control-allow-origin")).toBe("*")
      expect(part.headers.get("content-type")).toBe("video/mp4")
      digests.set(pathname, sha256(await readWhole(pathname)))
    }
    const playlist = new URL(ready.streamingPlaylists[0]!.playlistUrl).pathname
    expect((await node.get(playlist)).status).toBe(200)
    digests.set(playlist, sha256(await readWhole(playlist)))
  })

  it("plays it in a browser, from the storage", async () => {
    const page = await browser.newPage()
    const complaints: Array<string> = []
    page.on("console", (m) => m.type() === "error" && complaints.push(`${m.text()} ${m.location().url}`))
    server.proxy.seen.length = 0
    await page.goto(`${node.url}/videos/embed/${video.uuid}?muted=1&autoplay=1`)
    const time = () => page.evaluate("document.querySelector('video')?.currentTime ?? -1") as Promise<number>
    await until("playback", 60, async () => ((await time()) > 1 ? true : undefined))
    await page.evaluate("document.querySelector('video').currentTime = 9")
    await until("the seek to land", 60, async () => ((await time()) > 9.3 ? true : undefined))
    const ranges = server.proxy.seen.filter(
      ({ method, range, signed }) => method === "GET" && range !== undefined && !signed
    )
    expect(ranges.length).toBeGreaterThan(0)
    expect(complaints).toEqual([])
    await page.close()
  })

  it("gives downloads the name of the video by a signed address", async () => {
    const [file] = filesOf(await details()) as unknown as ReadonlyArray<{ readonly fileDownloadUrl: string }>
    const sent = await node.get(new URL(file!.fileDownloadUrl).pathname)
    expect(sent.status).toBe(302)
    expect(sent.headers.get("cache-control")).toBe("private, no-store")
    const saved = await fetch(sent.headers.get("location")!)
    expect(saved.status).toBe(200)
    expect(saved.headers.get("content-disposition")).toContain("In object storage")
  })

  it("keeps a private video from everybody without a right, and passes it through in ranges", async () => {
    const change = async (privacy: number) => {
      const body = JSON.stringify({ privacy })
      const headers = { ...auth, "content-type": "application/json" }
      const changed = await fetch(`${node.url}/api/v1/videos/${video.uuid}`, { method: "PUT", headers, body })
      expect(changed.status).toBe(204)
    }
    const before = filesOf(await details()).map(({ fileUrl }) => new URL(fileUrl).pathname)
    const publicAddress = (await node.get(before[0]!)).headers.get("location")!
    await change(3)
    const hidden = filesOf(await details())
    for (const { fileUrl, size } of hidden) {
      const { pathname } = new URL(fileUrl)
      expect(pathname).toContain("/private/")
      expect([401, 403]).toContain((await node.get(pathname)).status)
      const part = await node.get(pathname, { ...auth, range: "bytes=10-19" })
      expect(part.status).toBe(206)
      expect(part.headers.get("content-range")).toBe(`bytes 10-19/${size}`)
      expect((await part.arrayBuffer()).byteLength).toBe(10)
      const etag = part.headers.get("etag")!
      expect((await node.get(pathname, { ...auth, "if-none-match": etag })).status).toBe(304)
      const stale = await node.get(pathname, { ...auth, range: "bytes=10-19", "if-range": '"other"' })
      expect(stale.status).toBe(200)
      await stale.body?.cancel()
    }
    for (const path of [...inS3("web-videos"), ...inS3("streaming-playlists")].filter((it) =>
      it.includes("private/")
    )) {
      const key = path.slice(server.directory.length).replace("._S3rver_object", "")
      expect((await fetch(server.endpoint + key)).status, key).toBe(403)
    }
    await until("the public files to go", 30, async () =>
      (await fetch(publicAddress)).status === 404 ? true : undefined
    )
    await change(1)
    digests.clear()
    for (const { fileUrl } of filesOf(await details())) {
      const { pathname } = new URL(fileUrl)
      digests.set(pathname, sha256(await readWhole(pathname)))
    }
  })

  it("answers 503 while the storage is away, and goes on after that", async () => {
    const { thumbnails } = (await details()) as unknown as { thumbnails: ReadonlyArray<{ fileUrl: string }> }
    const { pathname } = new URL(thumbnails[0]!.fileUrl)
    server.proxy.fault = () => ({ kind: "status", status: 503, code: "SlowDown" })
    const away = await node.get(pathname)
    expect(away.status).toBe(503)
    expect(away.headers.get("retry-after")).toBe("30")
    server.proxy.fault = () => undefined
    expect((await readWhole(pathname)).byteLength).toBeGreaterThan(1000)
    expect((await node.command(["doctor"])).out).toMatch(/ok +object storage/)
  })

  const moveWithKills = async (to: "s3" | "disk") => {
    const args = ["storage", "move", "--to", to, "--at-once", "1"]
    let kills = 0
    for (let step = 1; ; step += 2) {
      let seen = 0
      const command = node.begin(args)
      server.proxy.fault = () => {
        if (++seen === step) command.kill()
        return undefined
      }
      const { code, err, out } = await command.ended
      server.proxy.fault = () => undefined
      if (code !== null) {
        expect(code, out + err).toBe(0)
        return kills
      }
      kills++
      if (kills % 5 === 1) await expectSame()
      expect(kills).toBeLessThan(120)
    }
  }

  it("moves to the disk and back, however often it is killed", async () => {
    const dry = await node.command(["storage", "move", "--to", "disk", "--dry-run"])
    expect(dry.out).toContain("Files to move: ")
    expect(await moveWithKills("disk")).toBeGreaterThan(2)
    await expectSame()
    expect(filesOf(await details()).every(({ storage }) => storage === 0)).toBe(true)
    expect(onDisk("web-videos").length).toBeGreaterThan(0)
    const [first] = digests.keys()
    expect((await node.get(first!)).status).toBe(200)
    expect(await moveWithKills("s3")).toBeGreaterThan(2)
    await expectSame()
    expect(filesOf(await details()).every(({ storage }) => storage === 1)).toBe(true)
    await until("the files to leave the disk", 90, async () => (onDisk("web-videos").length === 0 ? true : undefined))
    await expectSame()
  }, 400_000)

  it("finds files without rows and rows without files", async () => {
    expect((await node.command(["storage", "check"])).code).toBe(0)
    // The upload that was published before its ladder was made waits for its removal: no row names it.
    const [object] = inS3("web-videos").filter((path) => !path.includes("private/") && !path.includes("-1080"))
    const orphan = object!.replace(/[^/]+\._S3rver_object$/, `${randomUUID()}-240.mp4._S3rver_object`)
    for (const kind of ["object", "object.md5", "metadata.json"]) {
      renameSync(object!.replace(/object$/, kind), orphan.replace(/object$/, kind))
    }
    const old = new Date("2020-01-01")
    utimesSync(orphan, old, old)
    const found = await node.command(["storage", "check"])
    expect(found.code).toBe(1)
    expect(found.out).toMatch(/^missing: web_videos\//m)
    expect(found.out).toMatch(/^unused: web_videos\/.*-240\.mp4/m)
    for (const kind of ["object.md5", "metadata.json", "object"]) {
      renameSync(orphan.replace(/object$/, kind), object!.replace(/object$/, kind))
    }
    expect((await node.command(["storage", "check", "--repair"])).code).toBe(0)
  })

  it("is backed up with all its files", async () => {
    const target = join(node.dataDir, "backup-of-all")
    const { code, err } = await node.command(["backup", target])
    expect(code, err).toBe(0)
    // Private files of before wait for their removal.
    const open = inS3("web-videos").filter((path) => !path.includes("/private/"))
    expect(filesBelow(join(target, "files/web_videos")).length).toBe(open.length)
  })

  it("removes what is deleted", async () => {
    const deleted = await fetch(`${node.url}/api/v1/videos/${video.uuid}`, { method: "DELETE", headers: auth })
    expect(deleted.status).toBe(204)
    // The upload that was published before its ladder was made is kept for its players.
    const left = () => kinds.flatMap((kind) => inS3(kind)).filter((path) => !path.includes("-1080"))
    await until("the objects to go", 60, async () => (left().length === 0 ? true : undefined)).catch(() => undefined)
    expect(left()).toEqual([])
  }, 130_000)
})
