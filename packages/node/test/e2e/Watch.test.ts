import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { KinoraProcess, root, until } from "../support/KinoraProcess.ts"
import { clip } from "../video/upload/Clips.ts"
import { bigBuckBunny, type CreatedVideo, untilReady, uploadMultipart } from "../support/Uploads.ts"

describe("a person watches a video", () => {
  let node: KinoraProcess
  let browser: Browser
  let video: CreatedVideo
  const pictures = join(root, ".cache/e2e-pictures")

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    node = await KinoraProcess.create({
      KINORA_TRANSCODING_RESOLUTIONS_1080P: "false",
      KINORA_TRANSCODING_RESOLUTIONS_720P: "false",
      KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false"
    })
    await node.start()
    const auth = await node.login()
    const answer = await uploadMultipart(
      node,
      auth,
      clip("bunny.mp4", ["-i", bigBuckBunny, "-t", "12", "-c", "copy"]),
      {
        name: "Big Buck Bunny",
        privacy: "1",
        description: "A large rabbit deals with three bullies. (CC-BY, Blender Foundation)"
      }
    )
    video = ((await answer.json()) as { video: CreatedVideo }).video
    await untilReady(node, video.uuid, 3)
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await node.remove()
  })

  const time = (page: Page) => page.evaluate("document.querySelector('video')?.currentTime ?? -1") as Promise<number>

  it("sees it on the home page, opens it, and the picture moves", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const complaints: Array<string> = []
    page.on("console", (m) => m.type() === "error" && complaints.push(`${m.text()} ${m.location().url}`))
    page.on("pageerror", (e) => complaints.push(String(e)))
    await page.goto(`${node.url}/`)
    await page.getByText("Big Buck Bunny").first().click()
    await page.waitForURL(`**/w/${video.shortUUID}`)
    // A play that comes before the player has its source is cut off by the load: asked again until time passes.
    await page.evaluate(`{
      const video = document.querySelector("video")
      video.muted = true
      const play = () => video.currentTime > 0 || video.play().catch(() => setTimeout(play, 100))
      play()
    }`)
    const first = await until("playback", 60, async () => ((await time(page)) > 0.5 ? await time(page) : undefined))
    await until("progress", 60, async () => ((await time(page)) > first + 1 ? true : undefined))
    const frames = (await page.evaluate(
      "document.querySelector('video').getVideoPlaybackQuality().totalVideoFrames"
    )) as number
    expect(frames).toBeGreaterThan(10)
    await page.screenshot({ path: join(pictures, "watch.png") })
    await page.evaluate("document.querySelector('video').currentTime = 8")
    await until("the seek to land", 60, async () => ((await time(page)) > 8.3 ? true : undefined))
    expect(complaints).toEqual([])
    await page.close()
  })

  it("sees the embed player and shared metadata", async () => {
    const html = await (await node.get(`/w/${video.shortUUID}`)).text()
    expect(html).toContain('property="og:platform" content="Kinora"')
    expect(html).toContain("application/json+oembed")
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.goto(`${node.url}/videos/embed/${video.uuid}?muted=1&autoplay=1`)
    await until("playback", 60, async () => ((await time(page)) > 0.5 ? true : undefined))
    await page.close()
  })
})
