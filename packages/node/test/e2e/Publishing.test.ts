import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { KinoraProcess, root, rootPassword, until } from "../support/KinoraProcess.ts"
import { browserFlags } from "../support/Browser.ts"
import { type CreatedVideo, type VideoAnswer, uploadMultipart } from "../support/Uploads.ts"
import { clip } from "../video/upload/Clips.ts"

const ffprobe = join(root, "node_modules/@ffprobe-installer/linux-x64/ffprobe")

const captions = `WEBVTT

00:00:00.000 --> 00:00:05.000
Ein Hase erwacht

00:00:05.000 --> 00:00:08.000
und geht hinaus
`

describe("a publisher and those who may watch", () => {
  let node: KinoraProcess
  let browser: Browser
  let auth: Record<string, string>
  const pictures = join(root, ".cache/e2e-pictures")

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    node = await KinoraProcess.create({
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_720P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_480P: "false",
      KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false",
      KINORA_TRANSCODING_HLS_SPLIT_AUDIO_AND_VIDEO: "true"
    })
    await node.start()
    auth = await node.login()
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await node.remove()
  })

  const source = () => {
    const input = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=24:duration=8"]
    const sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=8"]
    const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "48", "-c:a", "aac"]
    return clip("publishing.mp4", [...input, ...sound, ...codecs])
  }

  const upload = async (fields: Record<string, string>): Promise<CreatedVideo> => {
    const answer = await uploadMultipart(node, auth, source(), fields)
    expect(answer.status, await answer.clone().text()).toBe(200)
    return ((await answer.json()) as { video: CreatedVideo }).video
  }

  /** As the publisher sees it, once its ladder is made. */
  const untilMade = (uuid: string) =>
    until(`the ladder of ${uuid}`, 120, async () => {
      const video = await node.json<VideoAnswer>(`/api/v1/videos/${uuid}`, auth)
      return video.state.id === 1 && (video.streamingPlaylists[0]?.files.length ?? 0) >= 2 ? video : undefined
    })

  const plays = (page: Page) =>
    until("playback", 60, async () => {
      const time = await page.evaluate("document.querySelector('[data-video] > video')?.currentTime ?? -1")
      return (time as number) > 0.5 ? true : undefined
    })

  it("publishes at a date that was set, and not before", async () => {
    const { uuid } = await upload({
      name: "For the anniversary",
      privacy: "3",
      "scheduleUpdate[updateAt]": new Date(Date.now() + 3_600_000).toISOString(),
      "scheduleUpdate[privacy]": "1"
    })
    // 404 while it is being prepared, 401 as a private video.
    await until("the video to stand", 120, async () => {
      const { status } = await node.get(`/api/v1/videos/${uuid}`)
      expect([401, 404]).toContain(status)
      return status === 401 ? true : undefined
    })
    const at = new Date(Date.now() + 2_000)
    const sooner = await fetch(`${node.url}/api/v1/videos/${uuid}`, {
      method: "PUT",
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify({ scheduleUpdate: { updateAt: at.toISOString(), privacy: 1 } })
    })
    expect(sooner.status, await sooner.text()).toBe(204)
    await until("the day", 120, async () =>
      (await node.get(`/api/v1/videos/${uuid}`)).status === 200 ? true : undefined
    )
    expect(Date.now()).toBeGreaterThanOrEqual(at.getTime())
    const list = await node.json<{ data: ReadonlyArray<{ uuid: string }> }>("/api/v1/videos")
    expect(list.data.map((it) => it.uuid)).toContain(uuid)
  })

  it("lets those watch who know the password, with captions and chapters", async () => {
    const { id, uuid } = await upload({
      name: "For the family",
      privacy: "5",
      "videoPasswords[0]": "Schlüssel für алла"
    })
    await untilMade(uuid)
    const chapters = await fetch(`${node.url}/api/v1/videos/${id}/chapters`, {
      method: "PUT",
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify({
        chapters: [
          { timecode: 0, title: "Morning" },
          { timecode: 4, title: "Noon" }
        ]
      })
    })
    expect(chapters.status).toBe(204)
    const form = new FormData()
    form.set("captionfile", new Blob([captions], { type: "text/vtt" }), "de.vtt")
    const caption = await fetch(`${node.url}/api/v1/videos/${id}/captions/de`, {
      method: "PUT",
      headers: auth,
      body: form
    })
    expect(caption.status).toBe(204)

    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${node.url}/w/${uuid}`)
    expect(await page.content()).not.toContain("For the family")
    await page.getByLabel("Password of this video").fill("something else")
    await page.getByRole("button", { name: "Watch" }).click()
    await page.getByText("This is not the password of this video.").waitFor()
    await page.screenshot({ path: join(pictures, "password.png") })
    await page.getByLabel("Password of this video").fill("Schlüssel für алла")
    await page.getByRole("button", { name: "Watch" }).click()
    await plays(page)
    await page.getByRole("heading", { name: "For the family" }).waitFor()
    await until("the chapter's mark", 60, async () =>
      (await page.locator(".kp-seek-chapter").count()) === 1 ? true : undefined
    )
    await page.keyboard.press("c")
    await until("the cue", 60, async () => {
      const shown = await page.evaluate(
        "[...document.querySelector('[data-video] > video').textTracks].flatMap((it) => [...(it.activeCues ?? [])]).map((it) => it.text).join()"
      )
      return /Hase|hinaus/.test(shown as string) ? true : undefined
    })
    await page.mouse.move(400, 300)
    await page.screenshot({ path: join(pictures, "captions-and-chapters.png") })
    await page.close()
  })

  it("watches an own private video when logged in, and strangers see what is seen of none", async () => {
    const { uuid } = await upload({ name: "My diary", privacy: "3" })
    const video = await untilMade(uuid)
    const stranger = await node.get(`/w/${uuid}`)
    const nowhere = await node.get("/w/00000000-0000-4000-8000-000000000000")
    expect(stranger.status).toBe(404)
    expect(await stranger.text()).toBe(await nowhere.text())

    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${node.url}/w/${uuid}`)
    await page.getByRole("heading", { name: "Not found" }).waitFor()
    await page.goto(`${node.url}/login`)
    await page.locator("form[data-form] input[type=password]").waitFor()
    await page.locator("form[data-form] input").first().fill("root")
    await page.locator("form[data-form] input[type=password]").fill(rootPassword)
    await page.locator("form[data-form] button").click()
    await page.waitForURL((url) => url.pathname !== "/login")
    await page.goto(`${node.url}/w/${uuid}`)
    await page.getByRole("heading", { name: "My diary" }).waitFor()
    await plays(page)
    await page.screenshot({ path: join(pictures, "own-private.png") })
    await page.close()

    // Any player that can open an address plays it with a token: here one that is no browser.
    const playlist = video.streamingPlaylists[0]!.playlistUrl
    expect((await fetch(playlist)).status).toBe(403)
    const issued = await fetch(`${node.url}/api/v1/videos/${uuid}/token`, { method: "POST", headers: auth })
    const { token } = ((await issued.json()) as { files: { token: string } }).files
    const address = `${playlist}?videoFileToken=${token}&reinjectVideoFileToken=true`
    const told = execFileSync(ffprobe, ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", address])
    expect(Number(told.toString())).toBeGreaterThan(7.5)
  })

  it("hands out sound and picture of their own as one file", async () => {
    const { uuid } = await upload({ name: "To take along", privacy: "1" })
    const video = await untilMade(uuid)
    const files = video.streamingPlaylists[0]!.files as unknown as ReadonlyArray<{
      id: number
      hasAudio: boolean
      hasVideo: boolean
    }>
    const sound = files.find((it) => it.hasAudio && !it.hasVideo)!
    const picture = files.find((it) => it.hasVideo && !it.hasAudio)!
    const answer = await node.get(
      `/download/videos/generate/${uuid}?videoFileIds=${sound.id}&videoFileIds=${picture.id}`
    )
    expect(answer.status).toBe(200)
    const file = join(node.dataDir, "muxed.mp4")
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
    const streams = execFileSync(ffprobe, ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", file])
    expect(streams.toString().trim().split("\n").sort()).toEqual(["audio", "video"])
  })
})
