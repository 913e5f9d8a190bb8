import { strict as assert } from "node:assert"
import { randomUUID } from "node:crypto"
import { until } from "../../support/KinoraProcess.ts"
import type { Walker } from "./Walker.ts"

/** What a viewer finds. */
export interface ViewerScene {
  readonly username: string
  readonly password: string
  /** A local film with captions and two renditions. */
  readonly film: string
  /** The handle of a channel of another instance, and its video. */
  readonly remoteChannel: string
  readonly remoteVideo: string
}

const holds = (walker: Walker, what: string, expression: string) =>
  until(what, 60, async () => ((await walker.page.evaluate<boolean>(`Boolean(${expression})`)) ? true : undefined))

const video = `document.querySelector("[data-video] > video")`

/** Shows the controls of the player, which hide while it plays. */
const wakePlayer = async ({ isPhone, page }: Walker) => {
  const player = page.locator("[data-video]")
  await player.scrollIntoViewIfNeeded()
  if (!isPhone) return await player.hover()
  // A second tap would hide them again.
  if (await page.locator("[data-video].kp-idle").isVisible()) await player.tap({ position: { x: 195, y: 60 } })
}

const find = async (walker: Walker, scene: ViewerScene) => {
  const { page } = walker
  await walker.open("/")
  await page.getByRole("link", { name: scene.film, exact: true }).waitFor()
  await walker.look("home")
  await page.getByRole("searchbox", { name: "Search videos" }).fill("meadow")
  await page.keyboard.press("Enter")
  await walker.heading("meadow")
  await page.locator("summary", { hasText: "Filters" }).click()
  // From now on a choice applies at once.
  await page.getByRole("button", { name: "Apply" }).waitFor({ state: "detached" })
  await page.getByLabel("Category").selectOption("Films")
  await page.getByRole("link", { name: /Films.*remove/ }).waitFor()
  await page.getByRole("link", { name: scene.film, exact: true }).waitFor()
  await walker.look("search with a filter")
}

const watch = async (walker: Walker, scene: ViewerScene) => {
  const { page } = walker
  await page.getByRole("link", { name: scene.film, exact: true }).click()
  await walker.heading(scene.film)
  await holds(walker, "the video to play", `${video}?.currentTime > 0.2`)
  // On a busy machine the film would be over before the walk is.
  await page.evaluate(`${video}.loop = true`)
  await wakePlayer(walker)
  await page.getByRole("button", { name: /^Captions/ }).click()
  await holds(walker, "captions", `[...${video}.textTracks].some((it) => it.mode !== "disabled")`)
  await page.getByRole("slider", { name: "Position" }).focus()
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press("ArrowRight")
  await holds(walker, "the seek", `${video}.currentTime > 3`)
  await wakePlayer(walker)
  await page.getByRole("button", { name: "Settings" }).click()
  await page.getByRole("menuitem", { name: /Quality/ }).click()
  await page.getByRole("menuitemradio", { name: /^144p/ }).click()
  await holds(walker, "the quality", `${video}.videoHeight === 144`)
  await page.keyboard.press("Escape")
  await page.evaluate(`${video}.pause()`)
  // On a phone the player stays in sight, above what is scrolled.
  await page.evaluate("scrollTo(0, 0)")
  await walker.look("watch")
}

const takePart = async (walker: Walker) => {
  const { page } = walker
  await page
    .locator("main")
    .getByRole("button", { name: /^Like this video/ })
    .click()
  await page.locator("[data-rate=like][aria-pressed=true]").waitFor()
  await page.locator("[data-subscribe], .subscribe").first().click()
  await page.getByRole("button", { name: "Subscribed" }).waitFor()
  await page.getByRole("button", { name: "Save", exact: true }).click()
  const menu = page.getByRole("dialog", { name: "Save to playlists" })
  await menu.getByLabel("Watch later").check()
  await menu.getByLabel("Name of a new playlist").fill("An evening")
  await menu.getByRole("button", { name: "Create" }).click()
  await menu.getByRole("checkbox", { name: "An evening", checked: true }).waitFor()
  await walker.look("save to playlists")
  await page.keyboard.press("Escape")
  const words = `A fine morning ${randomUUID().slice(0, 8)}`
  await page.getByLabel("Your comment").fill(words)
  await page.getByRole("button", { name: "Comment", exact: true }).click()
  await page.locator(".comment-text", { hasText: words }).waitFor()
  await walker.look("comment")

  await page.getByRole("button", { name: "Share", exact: true }).click()
  const sheet = page.getByRole("dialog")
  assert.match(await sheet.getByLabel("Link", { exact: true }).inputValue(), /\/w\//)
  await sheet.getByRole("button", { name: "Copy", exact: true }).click()
  await sheet.getByText("Copied").waitFor()
  await walker.look("share")
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Download" }).click()
  const file = sheet.getByRole("link", { name: /144p/ }).first()
  await file.waitFor()
  await walker.look("download")
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()])
  assert.equal(await download.failure(), null)
  await page.keyboard.press("Escape")

  await page.locator("main details.menu summary").click()
  await page.getByRole("button", { name: "Report this video" }).click()
  await sheet.getByLabel("Spam or misleading").check()
  await sheet.getByLabel("What the moderators should know").fill("The bird is not that loud.")
  await walker.look("report")
  await sheet.getByRole("button", { name: "Report", exact: true }).click()
  await sheet.getByText("Thank you").waitFor()
  await page.keyboard.press("Escape")
}

const goElsewhere = async (walker: Walker, scene: ViewerScene) => {
  const { page } = walker
  await page.getByRole("searchbox", { name: "Search videos" }).fill(scene.remoteChannel)
  await page.keyboard.press("Enter")
  await walker.heading(scene.remoteChannel)
  await page.getByRole("link", { name: "Look for it on its own instance" }).waitFor()
  await walker.look("search for a remote channel")
  await page.getByRole("link", { name: "Look for it on its own instance" }).click()
  await page.waitForURL(/\/c\//)
  await page.getByRole("button", { name: "Subscribe", exact: true }).first().click()
  await page.getByRole("button", { name: "Subscribed" }).first().waitFor()
  await walker.look("remote channel")
  await walker.open("/my/history")
  await walker.navigate("Subscriptions")
  await page.waitForURL(/\/my\/subscriptions/)
  const link = page.getByRole("link", { name: scene.remoteVideo, exact: true })
  await until("the remote video among the subscriptions", 90, async () => {
    if (await link.isVisible()) return true
    await page.reload()
    await page.locator(".new-video, .empty").first().waitFor()
    return undefined
  })
  await walker.look("subscriptions")
  await link.click()
  await walker.heading(scene.remoteVideo)
  await holds(walker, "the remote video to play", `${video}?.currentTime > 0.2`)
  await page.evaluate(`${video}.pause()`)
  await walker.look("remote video")
}

const tidyUp = async (walker: Walker, scene: ViewerScene) => {
  const { page } = walker
  await walker.open("/my-library/video-playlists")
  await page.getByRole("link", { name: "An evening", exact: true }).click()
  await walker.heading("An evening")
  await page.getByRole("link", { name: scene.film }).first().waitFor()
  await walker.look("playlist")
  await walker.open("/my/videos")
  await walker.navigate("History")
  await walker.heading("History")
  await page.getByRole("searchbox", { name: "Search in your history" }).fill("meadow")
  await page.getByRole("link", { name: scene.film }).waitFor()
  await page.getByRole("link", { name: scene.remoteVideo }).waitFor({ state: "detached" })
  await page.getByRole("switch", { name: "Remember what I watch" }).click()
  await page.getByText("The history is paused.").waitFor()
  await walker.look("history")
  await walker.navigate("Notifications")
  await walker.heading("Notifications")
  await page.getByText("One moment…").waitFor({ state: "detached" })
  await walker.look("notifications")
}

const settle = async (walker: Walker) => {
  const { page } = walker
  await walker.open("/my/settings?part=preferences")
  await page.getByLabel("Language of the pages").selectOption("fr")
  await page.getByRole("heading", { name: "Réglages", level: 1 }).waitFor()
  await walker.look("settings in French")
  await page.getByLabel("Langue des pages").selectOption("en")
  await walker.heading("Settings")
  await walker.leave()
  await walker.look("home after logging out")
}

/** A viewer's day: finds a film, watches it, takes part, follows somebody elsewhere, tidies up and leaves. */
export const walkAsViewer = async (walker: Walker, scene: ViewerScene): Promise<void> => {
  await walker.logIn(scene.username, scene.password, "log in")
  await find(walker, scene)
  await watch(walker, scene)
  await takePart(walker)
  await goElsewhere(walker, scene)
  await tidyUp(walker, scene)
  await settle(walker)
}
