import { strict as assert } from "node:assert"
import { until } from "../../support/KinoraProcess.ts"
import type { Walker } from "./Walker.ts"

/** What a maker has at hand. */
export interface MakerScene {
  /** Names that nobody has taken. */
  readonly username: string
  readonly password: string
  readonly channel: string
  /** Files of films. */
  readonly film: string
  readonly second: string
  /** Somebody to work with. */
  readonly colleague: string
  /** Has somebody else write below the film, whose short UUID this is. */
  readonly comment: (id: string, text: string) => Promise<unknown>
}

const captions = "WEBVTT\n\n00:00.500 --> 00:09.000\nA morning in the meadow\n"

/** A button beside which the field for its file is hidden. */
const chooseBeside = async (walker: Walker, button: string, files: Parameters<Walker["page"]["setInputFiles"]>[1]) => {
  const [chooser] = await Promise.all([
    walker.page.waitForEvent("filechooser"),
    walker.page.getByRole("button", { name: button, exact: true }).click()
  ])
  await chooser.setFiles(files)
}

const join = async (walker: Walker, scene: MakerScene) => {
  const { page } = walker
  await walker.open("/login")
  await page.locator("main").getByRole("link", { name: "Join" }).click()
  await page.getByLabel("User name").fill(scene.username)
  await page.getByLabel("E-mail").fill(`${scene.username}@example.com`)
  for (const field of await page.locator("main input[type=password]").all()) await field.fill(scene.password)
  await page.getByLabel(/^I am at least/).check()
  await page.getByLabel("I agree to the terms of this instance").check()
  await walker.look("sign up")
  await page.getByRole("button", { name: "Create the account" }).click()
  await page.getByText(/^Welcome!/).waitFor()
  await page.locator("main").getByRole("link", { name: "Log in" }).first().click()
  await page.waitForURL(/\/login/)
  await walker.logIn(scene.username, scene.password)
}

const makeChannel = async (walker: Walker, scene: MakerScene) => {
  const { page } = walker
  await walker.open("/my/videos")
  await page.getByText("No videos yet").waitFor()
  await walker.look("no videos yet")
  await walker.navigate("My channels")
  await walker.heading("My channels")
  await page.getByRole("button", { name: "New channel" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Display name").fill("Meadow films")
  await dialog.getByLabel("Name in addresses").fill(scene.channel)
  await dialog.getByLabel("Description").fill("Quiet films of meadows.")
  await walker.look("new channel")
  await dialog.getByRole("button", { name: "New channel" }).click()
  await walker.toast("The channel Meadow films is there.")
}

const upload = async (walker: Walker, scene: MakerScene) => {
  const { page } = walker
  await walker.navigate("Upload")
  await page.getByText("Drop videos here").waitFor()
  await page.getByLabel("Choose files").setInputFiles([scene.film, scene.second])
  const [first, second] = [page.locator(".upload").nth(0), page.locator(".upload").nth(1)]
  await first.getByLabel("Name").fill("A walk down to the meadow")
  await first.getByLabel("Description").fill("It begins at 0:05.")
  await first.getByLabel("Channel").selectOption("Meadow films")
  await first.getByLabel("Category").selectOption("Films")
  await first.getByLabel("Tags").fill("meadow")
  await page.keyboard.press("Enter")
  await second.getByLabel("Name").fill("Water lilies in the stream")
  await second.getByLabel("Channel").selectOption("Meadow films")
  await second.getByLabel("Who may see it").selectOption("Unlisted")
  await walker.look("upload")
  for (const form of [first, second]) {
    await form.getByRole("button", { name: /^Publish/ }).click()
    await form.getByText("It appears as soon as the first rendition is ready").waitFor()
  }
  await walker.look("published")
  await walker.navigate("My videos")
  await walker.heading("My videos")
  await page.getByRole("link", { name: "A walk down to the meadow" }).waitFor()
  await walker.look("my videos at work")
  await page.locator(".v-work").first().waitFor({ state: "detached", timeout: 120_000 })
}

const openAct = async ({ page }: Walker, name: string, act: string) => {
  await page.getByRole("button", { name: `Actions for ${name}` }).click()
  await page.getByRole("menuitem", { name: act }).click()
}

const edit = async (walker: Walker, scene: MakerScene) => {
  const { page } = walker
  await openAct(walker, "A walk down to the meadow", "Edit")
  await walker.heading("A walk down to the meadow")
  await page.getByLabel("Support").fill("Buy me a tea")
  await page.getByLabel("Comments", { exact: true }).selectOption("After your approval")
  await walker.look("edit")
  await page.getByRole("button", { name: "Save" }).click()
  await walker.toast("The video is saved.")

  await page.getByRole("tab", { name: "Thumbnail" }).click()
  await page.getByRole("button", { name: "Take one from the video" }).click()
  await page.getByLabel("Moment of the video").fill("10")
  const frame = "document.querySelector('video.e-frame')"
  await until("the frame", 60, async () =>
    (await page.evaluate<boolean>(`${frame}?.currentTime === 10 && ${frame}.readyState >= 2`)) ? true : undefined
  )
  await walker.look("thumbnail from a frame")
  await page.getByRole("button", { name: "Use the picture at 0:10" }).click()
  await walker.toast("The thumbnail is changed.")

  await page.getByRole("tab", { name: "Captions" }).click()
  await page.getByLabel("Language of the captions").selectOption("en")
  const file = { name: "meadow.vtt", mimeType: "text/vtt", buffer: Buffer.from(captions) }
  await chooseBeside(walker, "Choose a file", file)
  await walker.toast("Captions in English are saved.")
  await walker.look("captions")

  await page.getByRole("tab", { name: "Chapters" }).click()
  await page.getByRole("textbox", { name: "Chapters" }).fill("0:00 Morning\n0:05 Clouds")
  await page.getByRole("button", { name: "Save" }).click()
  await walker.toast("2 chapters are saved.")
  await walker.look("chapters")

  await page.getByRole("tab", { name: "File" }).click()
  await chooseBeside(walker, "Replace the file", scene.second)
  await page.getByRole("dialog").getByRole("button", { name: "Replace the file" }).click()
  await walker.toast("The file has arrived. The renditions are being made.")
  await walker.look("replaced file")
}

const look = async (walker: Walker) => {
  const { page } = walker
  await walker.navigate("My videos")
  await page.getByRole("searchbox", { name: "Search in my videos" }).fill("lilies")
  await page.getByRole("link", { name: "A walk down to the meadow" }).waitFor({ state: "detached" })
  await page.getByLabel("Select Water lilies in the stream").check()
  await walker.look("selected videos")
  await page.getByRole("button", { name: "Change who sees them" }).click()
  await page.getByRole("menuitem", { name: "Public" }).click()
  await walker.toast("1 video is changed.")
  await page.getByRole("searchbox", { name: "Search in my videos" }).fill("")
  await page.getByRole("link", { name: "A walk down to the meadow" }).waitFor()
  await page.locator(".v-work").first().waitFor({ state: "detached", timeout: 120_000 })
  await walker.look("my videos")
}

const review = async (walker: Walker, scene: MakerScene) => {
  const { page } = walker
  const address = await page.getByRole("link", { name: "A walk down to the meadow" }).getAttribute("href")
  await scene.comment(address!.split("/").pop()!, "What a bird!")
  await walker.navigate("Comments")
  await page.getByRole("tab", { name: "Waiting for approval" }).click()
  await page.getByText("What a bird!").waitFor()
  await walker.look("comments that wait")
  await page.getByLabel(/^Select comment of/).check()
  await page.getByRole("button", { name: "Approve" }).click()
  await walker.toast("1 comment is approved.")
  await walker.navigate("My videos")
  await openAct(walker, "A walk down to the meadow", "Statistics")
  await walker.heading("Statistics")
  await page.getByText("Watched on average").first().waitFor()
  await walker.look("statistics")
}

const arrange = async (walker: Walker) => {
  const { page } = walker
  for (const name of ["A walk down to the meadow", "Water lilies in the stream"]) {
    await walker.open("/my/videos")
    await page.getByRole("link", { name, exact: true }).click()
    await walker.heading(name)
    await page.getByRole("button", { name: "Save", exact: true }).click()
    const menu = page.getByRole("dialog", { name: "Save to playlists" })
    await menu.getByLabel("Watch later").check()
    await menu.getByText(/^Saved to/).waitFor()
  }
  await walker.open("/my/videos")
  await walker.navigate("Playlists")
  await page.getByRole("link", { name: "Watch later", exact: true }).click()
  await walker.heading("Watch later")
  const handle = (nth: number) => page.locator(".order .handle").nth(nth)
  await handle(1).waitFor()
  const [a, b] = [(await handle(1).boundingBox())!, (await handle(0).boundingBox())!]
  const moved = page.waitForResponse((it) => it.url().endsWith("/reorder"))
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
  await page.mouse.down()
  await page.mouse.move(b.x + b.width / 2, b.y, { steps: 8 })
  await page.mouse.up()
  assert.equal((await moved).status(), 204)
  await walker.look("playlist")
}

const share = async (walker: Walker, scene: MakerScene) => {
  const { page } = walker
  await walker.open("/my/videos")
  await walker.navigate("My channels")
  await page.getByRole("link", { name: "Manage Meadow films" }).click()
  await page.getByRole("tab", { name: "People" }).click()
  await page.getByLabel("Account of this server").fill(scene.colleague)
  await page.getByRole("button", { name: "Invite" }).click()
  await walker.toast(`${scene.colleague} is invited.`)
  await walker.look("collaborators")
  await walker.navigate("Settings")
  await page.getByRole("tab", { name: "Your data" }).click()
  await page.getByRole("button", { name: "Ask for an archive" }).click()
  const link = page.getByRole("link", { name: "Download" })
  await link.waitFor({ timeout: 120_000 })
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()])
  await chooseBeside(walker, "Choose an archive", await download.path())
  await page.getByText(/^The archive of .* is imported\.$/).waitFor({ timeout: 120_000 })
  await walker.look("export and import")
}

/** A maker's day: an account, a channel, two films from file to film, and what comes after. */
export const walkAsMaker = async (walker: Walker, scene: MakerScene): Promise<void> => {
  await join(walker, scene)
  await makeChannel(walker, scene)
  await upload(walker, scene)
  await edit(walker, scene)
  await look(walker)
  await review(walker, scene)
  await arrange(walker)
  await share(walker, scene)
}
