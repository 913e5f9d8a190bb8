import { Effect, Exit, Scope } from "effect"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeS3Server, s3Keys, type S3Server } from "../../../storage/test/support/objects/S3Server.ts"
import { browserFlags } from "../support/Browser.ts"
import { follow, type Instance, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import { bigBuckBunny, type CreatedVideo, untilReady, uploadMultipart } from "../support/Uploads.ts"
import { clip } from "../video/upload/Clips.ts"

const watched = ["-i", bigBuckBunny, "-t", "12", "-c", "copy"]

describe("a video in object storage, on pages of another instance", () => {
  const scope = Scope.makeUnsafe()
  let server: S3Server
  let origin: Instance
  let other: Instance
  let video: CreatedVideo
  let browser: Browser

  beforeAll(async () => {
    server = await Effect.runPromise(Scope.provide(makeS3Server(["web-videos", "streaming-playlists"]), scope))
    ;[origin, other] = await Promise.all([
      startInstance({
        KINORA_TRANSCODING_ENABLED: "true",
        KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false",
        ...Object.fromEntries(["480P", "720P", "1080P"].map((it) => [`KINORA_TRANSCODING_RESOLUTIONS_${it}`, "false"])),
        KINORA_OBJECT_STORAGE_ENABLED: "true",
        KINORA_OBJECT_STORAGE_ENDPOINT: server.endpoint,
        KINORA_OBJECT_STORAGE_CREDENTIALS_ACCESS_KEY_ID: s3Keys.accessKeyId,
        KINORA_OBJECT_STORAGE_CREDENTIALS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey
      }),
      startInstance()
    ])
    await follow(other, origin)
    const answer = await uploadMultipart(origin.node, origin.auth, clip("bunny.mp4", watched), {
      name: "Stored elsewhere",
      privacy: "1"
    })
    expect(answer.status, origin.node.output).toBe(200)
    video = ((await answer.json()) as { video: CreatedVideo }).video
    await untilReady(origin.node, video.uuid, 1)
    await until("files in object storage", 60, async () => {
      const { streamingPlaylists } = await origin.node.json<{
        readonly streamingPlaylists: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly storage: number }> }>
      }>(`/api/v1/videos/${video.uuid}`)
      const files = streamingPlaylists.flatMap((one) => one.files)
      return files.length > 0 && files.every(({ storage }) => storage === 1) ? true : undefined
    })
    await until("the video at the other instance", 60, async () => {
      const answer = await other.node.get(`/api/v1/videos/${video.uuid}`)
      return answer.status === 200 ? true : undefined
    })
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([origin?.node.remove(), other?.node.remove()])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Plays the video to its end on a page of the other instance; gives the policy of the page and what was asked of the storage by browsers. */
  const watch = async () => {
    const page = await browser.newPage()
    server.proxy.seen.length = 0
    const response = await page.goto(`${other.node.url}/videos/embed/${video.uuid}?muted=1&autoplay=1`)
    const time = () => page.evaluate("document.querySelector('video')?.currentTime ?? -1") as Promise<number>
    await until("playback", 60, async () => ((await time()) > 1 ? true : undefined))
    await page.evaluate("document.querySelector('video').currentTime = 9")
    await until("the seek to land", 60, async () => ((await time()) > 9.3 ? true : undefined))
    await page.close()
    const asked = server.proxy.seen.filter(
      ({ method, range, signed }) => method === "GET" && range !== undefined && !signed
    )
    return { policy: response!.headers()["content-security-policy"] ?? "", asked: asked.length }
  }

  it("plays through its instance at first, as the page knows nothing of the storage", async () => {
    const { asked, policy } = await watch()
    expect(policy).toContain(`connect-src 'self' http://${origin.host}`)
    expect(policy).not.toContain(server.endpoint)
    expect(asked).toBe(0)
  })

  it("plays from the storage once its instance was asked for it", async () => {
    const policy = await until("the storage in the policy", 60, async () => {
      const page = await other.node.get(`/videos/embed/${video.uuid}`)
      const policy = page.headers.get("content-security-policy")!
      return policy.includes(server.endpoint) ? policy : undefined
    })
    expect(policy).toMatch(new RegExp(`media-src [^;]*${server.endpoint}`))
    const { asked } = await watch()
    expect(asked).toBeGreaterThan(0)
  })
})
