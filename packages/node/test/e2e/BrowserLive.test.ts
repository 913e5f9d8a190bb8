import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { freePort, KinoraProcess, rootPassword, until } from "../support/KinoraProcess.ts"
import { accessible, logInAs, type Tokens } from "../web-pages/support/WorkingAreas.ts"

const fakeDevices = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
const desk = { viewport: { width: 1280, height: 900 } }

describe("a live from the browser", () => {
  let node: KinoraProcess
  let browser: Browser
  let auth: Record<string, string>
  let channelId: number
  let maker: BrowserContext

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_ENABLED: "false",
      KINORA_LIVE_WHIP_ENABLED: "true",
      KINORA_LIVE_WHIP_PORT: String(await freePort()),
      KINORA_LIVE_TRANSCODING_ENABLED: "false",
      KINORA_LIVE_RECONNECT_GRACE: "30 seconds"
    })
    await node.start()
    auth = await node.login()
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
    channelId = me.videoChannels[0]!.id
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: [...browserFlags, ...fakeDevices] })
    const { client_id, client_secret } = await node.json<{ client_id: string; client_secret: string }>(
      "/api/v1/oauth-clients/local"
    )
    const form = { client_id, client_secret, grant_type: "password", username: "root", password: rootPassword }
    const answer = await fetch(`${node.url}/api/v1/users/token`, { method: "POST", body: new URLSearchParams(form) })
    maker = await browser.newContext(desk)
    await logInAs(maker, (await answer.json()) as Tokens)
  })
  afterAll(async () => {
    await browser?.close()
    await node.remove()
  })

  interface Live {
    readonly id: number
    readonly uuid: string
    readonly shortUUID: string
    readonly whipUrl: string
    readonly streamKey: string
  }

  const create = async (fields: Record<string, unknown>): Promise<Live> => {
    const answer = await fetch(`${node.url}/api/v1/videos/live`, {
      method: "POST",
      headers: { ...auth, "content-type": "application/json" },
      body: JSON.stringify({ channelId, name: "From here", privacy: 1, ...fields })
    })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string; shortUUID: string } }
    const live = await node.json<{ whipUrl: string; streamKey: string }>(`/api/v1/videos/live/${video.id}`, auth)
    return { ...video, ...live }
  }

  const publish = (url: string, key: string | undefined, body: string, type = "application/sdp") =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": type, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body
    })

  /** An offer as this browser makes it. */
  const offer = async (): Promise<string> => {
    const page = await browser.newPage()
    const sdp = await page.evaluate<string>(`(async () => {
      const connection = new RTCPeerConnection()
      connection.addTransceiver("video", { direction: "sendonly" })
      return (await connection.createOffer()).sdp
    })()`)
    await page.close()
    return sdp
  }

  it("refuses by number and word what cannot be published", async () => {
    const live = await create({ saveReplay: false })
    const url = live.whipUrl
    const sdp = await offer()
    const status = async (answer: Promise<Response>) => (await answer).status
    expect(await status(publish(url, undefined, sdp))).toBe(401)
    const wrong = await publish(url, "wrong", sdp)
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
    expect(await wrong.json()).toMatchObject({ code: "unknown_stream_key", detail: "This stream key opens no live" })
    expect(await status(publish(url, live.streamKey, sdp, "text/plain"))).toBe(415)
    expect(await status(publish(url, live.streamKey, "v=1"))).toBe(400)
    expect(await status(publish(url, live.streamKey, `v=0\r\n${"a=x\r\n".repeat(20_000)}`))).toBe(413)
    const vp8 = sdp.replaceAll("H264/90000", "H263/90000")
    expect(await status(publish(url, live.streamKey, vp8))).toBe(422)
    const patched = await fetch(`${url}/something`, { method: "PATCH", body: "a=x" })
    expect([patched.status, patched.headers.get("allow")]).toEqual([405, "DELETE"])
    expect(await status(fetch(`${url}/something`, { method: "DELETE", headers: { authorization: "Bearer x" } }))).toBe(
      404
    )
    const options = await fetch(url, { method: "OPTIONS" })
    expect([options.status, options.headers.get("accept-post")]).toEqual([204, "application/sdp"])
    const answered = await publish(url, live.streamKey, sdp)
    expect([answered.status, answered.headers.get("content-type")]).toEqual([201, "application/sdp"])
    expect(await answered.text()).toMatch(/a=candidate:1 1 udp \d+ 127\.0\.0\.1 \d+ typ host\r\n/)
    const location = answered.headers.get("location")!
    const end = (key: string) => fetch(location, { method: "DELETE", headers: { authorization: `Bearer ${key}` } })
    expect(await status(end("wrong"))).toBe(401)
    expect(await status(end(live.streamKey))).toBe(204)
    expect(await status(end(live.streamKey))).toBe(404)
    // Who only connects begins nothing.
    const { data } = await node.json<{ data: ReadonlyArray<unknown> }>(`/api/v1/videos/live/${live.id}/sessions`, auth)
    expect(data).toEqual([])
  })

  const untilText = (page: Page, words: string) =>
    until(words, 60, async () => ((await page.textContent("main"))!.includes(words) ? true : undefined))

  const plays = async (page: Page) => {
    const at = () => page.evaluate<number>(`document.querySelector("video")?.currentTime ?? -1`)
    const from = await until("a picture", 60, async () => ((await at()) > 0 ? await at() : undefined))
    await until("playing", 60, async () => ((await at()) > from + 1 ? true : undefined))
  }

  it("is chosen, looked at, sent, watched with picture and sound, ended, and becomes a replay", async () => {
    const live = await create({ saveReplay: true, replaySettings: { privacy: 1 } })
    const page = await maker.newPage()
    const thrown: Array<string> = []
    page.on("pageerror", (error) => thrown.push(String(error)))
    await page.goto(`${node.url}/my/lives/${live.shortUUID}`)
    await page.getByRole("link", { name: "Go live from this browser" }).click()
    await page.getByRole("button", { name: "Turn on the camera" }).click()
    await page.getByLabel("Preview, without sound").waitFor()
    expect(await accessible(page)).toEqual([])
    await until("a loud moment", 20, async () =>
      (await page.evaluate<number>(`document.querySelector("meter").value`)) > 0.1 ? true : undefined
    )
    await page.getByRole("button", { name: "Go live", exact: true }).click()
    await untilText(page, "Picture and sound are being sent.")
    expect(await accessible(page)).toEqual([])

    const viewer = await browser.newPage(desk)
    await viewer.goto(`${node.url}/w/${live.uuid}`)
    await plays(viewer)
    const { height, sound, width } = await viewer.evaluate<{ width: number; height: number; sound: number }>(`(() => {
      const video = document.querySelector("video")
      return { width: video.videoWidth, height: video.videoHeight, sound: video.webkitAudioDecodedByteCount }
    })()`)
    expect([width, height]).toEqual([1280, 720])
    expect(sound).toBeGreaterThan(0)
    expect((await publish(live.whipUrl, live.streamKey, await offer())).status).toBe(409)

    // It goes on while the maker looks at the control room.
    await page.getByRole("link", { name: "Control room" }).click()
    await untilText(page, "How it arrives")
    await page.getByRole("link", { name: "Go live from this browser" }).click()
    await untilText(page, "Picture and sound are being sent.")
    await page.getByRole("button", { name: "End the live" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "End the live" }).click()
    await viewer.getByRole("button", { name: "Watch the replay" }).click({ timeout: 60_000 })
    await plays(viewer)
    expect(thrown).toEqual([])
    await viewer.close()
    await page.close()
  })

  /** Publishes as a program does that knows nothing of our page; gives where it is ended. */
  const send = (page: Page, live: Live) =>
    page.evaluate<string>(`(async () => {
        const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 360 } })
        const connection = (window.connection = new RTCPeerConnection())
        const transceiver = connection.addTransceiver(stream.getVideoTracks()[0], { direction: "sendonly" })
        transceiver.setCodecPreferences(
          RTCRtpSender.getCapabilities("video").codecs.filter((it) => it.mimeType === "video/H264")
        )
        await connection.setLocalDescription()
        const answer = await fetch(${JSON.stringify(live.whipUrl)}, {
          method: "POST",
          headers: { authorization: "Bearer ${live.streamKey}", "content-type": "application/sdp" },
          body: connection.localDescription.sdp
        })
        await connection.setRemoteDescription({ type: "answer", sdp: await answer.text() })
        return answer.headers.get("location")
      })()`)

  const stateOf = async (live: Live) =>
    (await node.json<{ state: { id: number } }>(`/api/v1/videos/${live.id}`, auth)).state.id

  it("comes back after a connection that closed without a word, and ends by DELETE even when that comes last", async () => {
    const live = await create({ saveReplay: false })
    const page = await maker.newPage()
    await page.goto(`${node.url}/my/lives/${live.shortUUID}`)
    const untilConnected = (connected: boolean) =>
      until(`connected: ${connected}`, 60, async () => {
        const health = await node.json<{ connected: boolean }>(`/api/v1/videos/live/${live.id}/health`, auth)
        return health.connected === connected ? true : undefined
      })
    await send(page, live)
    await untilConnected(true)
    await until("something to see", 60, async () => ((await stateOf(live)) === 1 ? true : undefined))
    await page.evaluate("connection.close()")
    await untilConnected(false)
    expect(await stateOf(live)).toBe(1)

    const location = await send(page, live)
    await untilConnected(true)
    await page.evaluate("connection.close()")
    await untilConnected(false)
    const ended = await fetch(location, { method: "DELETE", headers: { authorization: `Bearer ${live.streamKey}` } })
    expect(ended.status).toBe(204)
    await until("the end", 20, async () => ((await stateOf(live)) === 5 ? true : undefined))
    await page.close()
  })

  it("ends with an error where a program changes the size of the picture", async () => {
    const live = await create({ saveReplay: false })
    const page = await maker.newPage()
    await page.goto(`${node.url}/my/lives/${live.shortUUID}`)
    await send(page, live)
    await until("something to see", 60, async () => ((await stateOf(live)) === 1 ? true : undefined))
    await page.evaluate("connection.getSenders()[0].track.applyConstraints({ width: 320, height: 180 })")
    await until("the end", 20, async () => ((await stateOf(live)) === 5 ? true : undefined))
    const { data } = await node.json<{ data: ReadonlyArray<{ error: number | null }> }>(
      `/api/v1/videos/live/${live.id}/sessions`,
      auth
    )
    expect(data.map(({ error }) => error)).toEqual([9])
    await page.close()
  })

  it("sends a screen with its sound and the microphone, asks before the window is closed, and ends with it or its size", async () => {
    const live = await create({ saveReplay: false, permanentLive: true })
    const page = await maker.newPage()
    await page.goto(`${node.url}/my/lives/${live.shortUUID}/broadcast`)
    await page.getByLabel("Picture", { exact: true }).selectOption("screen")
    await page.getByRole("button", { name: "Choose a screen" }).click()
    await page.getByRole("button", { name: "Go live", exact: true }).click()
    await untilText(page, "Picture and sound are being sent.")
    const health = await until("a picture", 60, async () => {
      const it = await node.json<{
        video: { width: number; height: number } | null
        audio: { codec: string } | null
      }>(`/api/v1/videos/live/${live.id}/health`, auth)
      return it.video === null ? undefined : it
    })
    expect(health).toMatchObject({ video: { width: 1920, height: 1080 }, audio: { codec: "aac" } })
    const asked = new Promise<string>((done) =>
      page.once("dialog", (dialog) => {
        done(dialog.type())
        void dialog.dismiss()
      })
    )
    await page.close({ runBeforeUnload: true })
    expect(await asked).toBe("beforeunload")
    await untilText(page, "Picture and sound are being sent.")
    // What is shared is taken away by the browser's own button.
    await page.evaluate(
      `document.querySelector("video").srcObject.getVideoTracks()[0].dispatchEvent(new Event("ended"))`
    )
    await untilText(page, "The camera or the screen was taken away, and the live has ended.")

    await page
      .getByRole("button", { name: "Turn on the camera" })
      .or(page.getByRole("button", { name: "Choose a screen" }))
      .click()
    await page.getByRole("button", { name: "Go live", exact: true }).click()
    await untilText(page, "Picture and sound are being sent.")
    await page.evaluate(
      `document.querySelector("video").srcObject.getVideoTracks()[0].applyConstraints({ width: 640, height: 360 })`
    )
    await untilText(page, "The picture changed its size, and the live has ended.")
    await page.close()
  })

  it("says what to do where the browser gives no camera", async () => {
    const live = await create({ saveReplay: false })
    const args = [...browserFlags, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream=deny"]
    const other = await chromium.launch({ executablePath: "/usr/bin/chromium", args })
    try {
      const context = await other.newContext({ ...desk, storageState: await maker.storageState() })
      const page = await context.newPage()
      await page.goto(`${node.url}/my/lives/${live.shortUUID}/broadcast`)
      await page.getByRole("button", { name: "Turn on the camera" }).click()
      await page.getByRole("alert").filter({ hasText: "The browser was not allowed to use them." }).waitFor()
      expect(await accessible(page)).toEqual([])
    } finally {
      await other.close()
    }
  })
})
