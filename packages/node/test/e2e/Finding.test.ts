import { type ChildProcess, spawn } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { infoOf, torrentOf } from "../../../torrent/test/support/MakeTorrent.ts"
import { browserFlags } from "../support/Browser.ts"
import { freePort, KinoraProcess, root, until } from "../support/KinoraProcess.ts"
import { channelOf } from "../support/Uploads.ts"
import { plainClip } from "../video/upload/Clips.ts"

interface Found {
  readonly total: number
  readonly data: ReadonlyArray<{ readonly name: string; readonly uuid: string }>
}

describe("a video that lies with others", () => {
  let node: KinoraProcess
  let browser: Browser
  let seeder: ChildProcess | undefined
  let auth: Record<string, string>
  let magnet: string
  const folder = mkdtempSync(join(tmpdir(), "kinora-seed-"))
  const pictures = join(root, ".cache/e2e-pictures")

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true })
    const name = "clip.mp4"
    copyFileSync(plainClip(), join(folder, name))
    const made = torrentOf(infoOf([{ path: [name], bytes: readFileSync(join(folder, name)) }], 32_768))
    writeFileSync(join(folder, "clip.torrent"), made.torrent)
    const port = await freePort()
    magnet = `magnet:?xt=urn:btih:${made.infoHash}&dn=${name}&x.pe=127.0.0.1:${port}`
    const quiet = ["--enable-dht=false", "--enable-dht6=false", "--enable-peer-exchange=false", "--bt-enable-lpd=false"]
    seeder = spawn(
      "aria2c",
      [
        "--no-conf",
        "-V",
        "--seed-ratio=0",
        "--interface=127.0.0.1",
        `--dir=${folder}`,
        `--listen-port=${port}`,
        ...quiet,
        join(folder, "clip.torrent")
      ],
      { stdio: "ignore" }
    )
    node = await KinoraProcess.create({
      KINORA_FEDERATION_PREVENT_SSRF: "false",
      KINORA_IMPORT_VIDEOS_TORRENT_ENABLED: "true",
      KINORA_TRANSCODING_ENABLED: "false"
    })
    await node.start()
    auth = await node.login()
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
  })
  afterAll(async () => {
    seeder?.kill()
    await browser?.close()
    await node.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it("is imported from who seeds it by a magnet alone", async () => {
    const form = new FormData()
    const fields = { channelId: String(await channelOf(node, auth)), magnetUri: magnet, privacy: "1" }
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    form.set("name", "Frühstück mit Müller")
    form.set("description", "Two eggs and a newspaper")
    form.set("tags[0]", "breakfast")
    const answer = await fetch(`${node.url}/api/v1/videos/imports`, { method: "POST", headers: auth, body: form })
    expect(answer.status, await answer.clone().text()).toBe(200)
    await until("the import", 90, async () => {
      const { data } = await node.json<{ data: ReadonlyArray<{ state: { id: number }; error: string }> }>(
        "/api/v1/users/me/videos/imports",
        auth
      )
      if (data[0]?.state.id === 3) throw new Error(`${data[0].error}\n${node.output}`)
      return data[0]?.state.id === 2 ? true : undefined
    })
    await until("its publication", 60, async () =>
      (await node.json<Found>("/api/v1/videos")).total === 1 ? true : undefined
    )
  })

  it("is found without its accents, with a mistake, by its tag and its description, and not by what it is not", async () => {
    const search = (text: string) => node.json<Found>(`/api/v1/search/videos?search=${encodeURIComponent(text)}`)
    // New words are taken into the list of known ones within moments.
    await until("the word to be known", 60, async () => ((await search("fruhstuck")).total === 1 ? true : undefined))
    for (const text of [
      "Frühstück",
      "FRUHSTUCK muller",
      "müler",
      "breakfast",
      "breakfst",
      '"mit Müller"',
      "newspaper"
    ]) {
      await until(text, 30, async () => ((await search(text)).total === 1 ? true : undefined))
    }
    for (const text of ["dinner", "müller -eggs", '"Müller mit"']) expect((await search(text)).total, text).toBe(0)

    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${node.url}/`)
    await page.getByRole("searchbox").fill("fruhstuk")
    await page.keyboard.press("Enter")
    await page.getByText("Frühstück mit Müller").waitFor()
    await page.screenshot({ path: join(pictures, "search.png") })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: join(pictures, "search-phone.png") })
    await page.close()
  })
})
