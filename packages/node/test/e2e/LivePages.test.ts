import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { browserFlags } from "../support/Browser.ts"
import { freePort, KinoraProcess, rootPassword, until } from "../support/KinoraProcess.ts"
import { publishLive } from "../support/Publisher.ts"
import { accessible, logInAs, type Tokens } from "../web-pages/support/WorkingAreas.ts"

/** What the player shows of a live. */
interface Shown {
  readonly at: number
  readonly edge: string | undefined
  readonly clock: string
  readonly notice: string
  readonly panel: string
  readonly line: string
}

describe("the pages of lives", () => {
  let node: KinoraProcess
  let browser: Browser
  let auth: Record<string, string>
  let channelId: number

  beforeAll(async () => {
    node = await KinoraProcess.create({
      KINORA_LIVE_ENABLED: "true",
      KINORA_LIVE_RTMP_PORT: String(await freePort()),
      KINORA_LIVE_TRANSCODING_ENABLED: "false",
      KINORA_LIVE_RECONNECT_GRACE: "30 seconds"
    })
    await node.start()
    auth = await node.login()
    const me = await node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", auth)
    channelId = me.videoChannels[0]!.id
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    await browser?.close()
    await node.remove()
  })

  const send = (method: string, path: string, body?: unknown) =>
    fetch(node.url + path, {
      method,
      headers: { ...auth, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })

  const create = async (fields: Record<string, unknown>) => {
    const answer = await send("POST", "/api/v1/videos/live", { channelId, name: "An evening", privacy: 1, ...fields })
    expect(answer.status).toBe(200)
    const { video } = (await answer.json()) as { video: { id: number; uuid: string } }
    const { rtmpUrl, streamKey } = await node.json<{ rtmpUrl: string; streamKey: string }>(
      `/api/v1/videos/live/${video.id}`,
      auth
    )
    return { ...video, address: `${rtmpUrl}/${streamKey}` }
  }

  const shown = (page: Page): Promise<Shown> =>
    page.evaluate<Shown>(`(() => {
      const text = (of) => document.querySelector(of)?.textContent ?? ""
      return {
        at: document.querySelector("video")?.currentTime ?? -1,
        edge: document.querySelector(".kp-edge")?.dataset.at,
        clock: text(".kp-clock"),
        notice: text(".kp-notice"),
        panel: text(".kp-panel"),
        line: text("[data-live-line]")
      }
    })()`)

  const untilShown = (page: Page, what: string, is: (it: Shown) => boolean) =>
    until(what, 60, async () => {
      const now = await shown(page)
      return is(now) ? now : undefined
    })

  /** Waits until the picture has moved on by some seconds. */
  const plays = async (page: Page, seconds = 1) => {
    const from = await untilShown(page, "a picture", ({ at }) => at > 0)
    return untilShown(page, "playing", ({ at }) => at > from.at + seconds || at < from.at)
  }

  const watch = async (path: string) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const thrown: Array<string> = []
    page.on("pageerror", (error) => thrown.push(String(error)))
    await page.goto(node.url + path)
    return { page, thrown }
  }

  it("begin by themselves, go back and to the edge, hold through a break, end, and lead to the replay", async () => {
    const startAt = new Date(Date.now() + 86_400_000).toISOString()
    const live = await create({
      saveReplay: true,
      replaySettings: { privacy: 1 },
      dvrWindow: 300,
      schedules: [{ startAt }]
    })
    const lists = await browser.newPage({ timezoneId: "Pacific/Auckland" })
    await lists.goto(node.url)
    const card = lists.locator(".card", { hasText: "An evening" })
    expect(await card.locator(".badge").innerText()).toBe("Soon")
    const there = new Intl.DateTimeFormat("en", {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: "Pacific/Auckland"
    }).format(Date.parse(startAt))
    await card.getByText(there.replaceAll("\u202f", " ")).waitFor()
    expect(await accessible(lists)).toEqual([])
    await lists.close()
    const plain = await (await node.get(`/w/${live.uuid}`)).text()
    expect(plain).toContain("This live has not begun")
    expect(plain).toContain(startAt)
    expect(plain).toContain('"isLiveBroadcast":true')

    const { page, thrown } = await watch(`/w/${live.uuid}`)
    await untilShown(page, "what is to come", ({ panel }) => /not begun.*announced for/.test(panel))
    expect(await accessible(page)).toEqual([])

    const first = await publishLive(live.address)
    await plays(page)
    await untilShown(page, "the edge", ({ edge, line }) => edge === "edge" && line.startsWith("LIVE"))
    expect(await accessible(page)).toEqual([])
    const { at } = await untilShown(page, "a window to go back in", (it) => it.at > 22)

    await page.locator("video").hover()
    await page.keyboard.press("j")
    const back = await untilShown(page, "ten seconds before", (it) => it.edge === "behind" && it.at < at)
    expect(back.clock).toMatch(/^−0:\d\d$/)
    expect(await accessible(page)).toEqual([])
    await page.locator(".kp-seek").focus()
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowLeft")
    const behind = ({ clock }: Shown) => Number(clock.split(":")[1] ?? 0)
    const far = await untilShown(page, "further behind", (it) => behind(it) > 15)
    await page.keyboard.press("ArrowRight")
    await untilShown(page, "five seconds forth", (it) => behind(it) < behind(far) - 2)
    await page.getByRole("button", { name: "Go to what happens now" }).click()
    await untilShown(page, "the edge again", ({ clock, edge }) => edge === "edge" && clock === "")

    first.cut()
    const held = await untilShown(page, "words of the break", ({ notice }) => notice.includes("is interrupted"))
    const again = await publishLive(live.address)
    await untilShown(page, "playing after the break", (it) => it.at > held.at + 1 && it.notice === "")
    again.end()
    await untilShown(page, "the end", ({ panel }) => panel.startsWith("The live has ended"))
    await page.getByRole("button", { name: "Watch the replay" }).click({ timeout: 60_000 })
    await plays(page)
    expect((await shown(page)).edge).toBeUndefined()
    expect(thrown).toEqual([])
    await page.close()
  })

  it("hold the picture while the node restarts, and go on with what comes then", async () => {
    const live = await create({ saveReplay: false, latencyMode: 3 })
    const publisher = await publishLive(live.address)
    const { page, thrown } = await watch(`/videos/embed/${live.uuid}?autoplay=1&muted=1`)
    await plays(page)
    await node.stop("SIGKILL")
    await publisher.ended
    await untilShown(page, "words of the break", ({ notice }) => notice.includes("is interrupted"))
    await node.start()
    const again = await publishLive(live.address)
    await untilShown(page, "no word of a break", ({ notice }) => notice === "")
    await plays(page)
    again.cut()
    expect((await send("POST", `/api/v1/videos/live/${live.id}/end`)).status).toBe(204)
    await untilShown(page, "the end", ({ panel }) => panel.startsWith("The live has ended"))
    expect(thrown).toEqual([])
    await page.close()
  })

  /** A browser in which root is logged in. */
  const maker = async (): Promise<BrowserContext> => {
    const client = await node.json<Record<string, string>>("/api/v1/oauth-clients/local")
    const form = { ...client, grant_type: "password", username: "root", password: rootPassword }
    const answer = await fetch(`${node.url}/api/v1/users/token`, { method: "POST", body: new URLSearchParams(form) })
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    context.setDefaultTimeout(60_000)
    await logInAs(context, (await answer.json()) as Tokens)
    return context
  }

  it("set up a live, show its address and key, see it go live, end it, and lead to the replay", async () => {
    const context = await maker()
    const page = await context.newPage()
    await page.goto(`${node.url}/my/upload`)
    await page.locator(".page-head").getByRole("link", { name: "Go live" }).click()
    await page.getByRole("textbox", { name: "Name" }).fill("Evening talk")
    await page.getByLabel("Viewers may go back").selectOption({ label: "30 minutes" })
    expect(await accessible(page)).toEqual([])
    await page.getByRole("button", { name: "Set up the live" }).click()

    await page.getByRole("heading", { name: "Evening talk" }).waitFor()
    const key = page.getByLabel("Key", { exact: true })
    expect(await key.getAttribute("type")).toBe("password")
    await page.getByRole("button", { name: "Show" }).click()
    expect(await key.getAttribute("type")).toBe("text")
    const old = await key.inputValue()
    await page.getByRole("button", { name: "Replace the key" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Replace the key" }).click()
    const fresh = await until("another key", 60, async () => {
      const value = await key.inputValue()
      return value === old ? undefined : value
    })
    expect(await accessible(page)).toEqual([])

    const address = await page.getByRole("textbox", { name: "Address (RTMP)" }).inputValue()
    expect(await (await publishLive(`${address}/${old}`)).ended).toContain("opens no live")
    const publisher = await publishLive(`${address}/${fresh}`)
    await page.getByRole("heading", { name: "How it arrives" }).waitFor()
    await page.getByText("640 × 360").waitFor()
    await page.getByText("Dropped pictures").waitFor()
    await page.getByLabel("Title of this moment").fill("The first words")
    await page.getByRole("button", { name: "Mark this moment" }).click()
    await page.getByRole("listitem").filter({ hasText: "The first words" }).waitFor()
    expect(await accessible(page)).toEqual([])
    // In another window: others see it in lists.
    const others = await context.newPage()
    await others.goto(`${node.url}/`)
    await others.locator(".card .badge.live").first().waitFor()
    await others.close()
    await page.getByRole("button", { name: "End the live" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "End the live" }).click()
    await publisher.ended
    await page.getByRole("link", { name: "Watch the replay" }).waitFor()

    // More than one user may have is refused in words.
    for (const name of ["One", "Two", "Three"]) await send("POST", "/api/v1/videos/live", { channelId, name })
    await page.goto(`${node.url}/my/lives/new`)
    await page.getByRole("textbox", { name: "Name" }).fill("One more")
    await page.getByRole("button", { name: "Set up the live" }).click()
    await page.getByText("You have as many lives as the instance allows").waitFor()
    await page.goto(`${node.url}/my/videos`)
    await page.getByRole("row", { name: "Three" }).getByText("Waits to begin").waitFor()
    await context.close()
  })
})
