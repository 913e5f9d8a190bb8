import { strict as assert } from "node:assert"
import type { Walker } from "./Walker.ts"

/** What an administrator finds. */
export interface AdministratorScene {
  readonly username: string
  readonly password: string
  /** The other instance, and the address of a video there. */
  readonly remoteHost: string
  readonly remoteAddress: string
  readonly remoteVideo: string
  /** A user whose storage is limited. */
  readonly user: string
}

const dialogOf = ({ page }: Walker) => page.getByRole("dialog")

const begin = async (walker: Walker, scene: AdministratorScene) => {
  const { page } = walker
  await walker.logIn(scene.username, scene.password)
  await walker.open("/admin")
  await walker.heading("Overview")
  await walker.look("overview of a fresh node")
  await page.getByRole("link", { name: "Begin" }).click()
  await walker.heading("First steps")
  await page.getByLabel("Name of the instance").fill("Meadow films")
  await page.getByLabel("Short description").fill("Films of our meadow.")
  await walker.look("first steps")
  await page.getByRole("button", { name: "Save and go on" }).click()
  // Whoever uses keys goes on where the next step begins.
  await page.locator("h2:focus", { hasText: "Registration" }).waitFor()
  await page.getByRole("combobox", { name: "Registration" }).selectOption("approval")
  await page.getByRole("button", { name: "Save and go on" }).click()
  await page.getByRole("heading", { name: "Mail" }).waitFor()
  await page.getByRole("button", { name: "Go on" }).click()
  await page.getByRole("heading", { name: "Federation" }).waitFor()
  await page.getByRole("button", { name: "Save and go on" }).click()
  await page.getByRole("heading", { name: "Transcoding" }).waitFor()
  await walker.look("first steps of transcoding")
  await page.getByRole("button", { name: "Save and go on" }).click()
  await page.getByText("Your instance is ready").waitFor()
  await walker.look("the instance is ready")
  await page.getByRole("link", { name: "All settings" }).click()
}

const configure = async (walker: Walker) => {
  const { page } = walker
  await walker.heading("Configuration")
  await page.getByRole("searchbox", { name: "Search in the settings" }).fill("description")
  const field = page.getByLabel("instance.shortDescription", { exact: true })
  await field.fill("Films of our meadow, and of others.")
  await walker.look("configuration")
  await page.getByRole("button", { name: "Save" }).click()
  await walker.toast("1 setting is saved.")
  await walker.navigate("Appearance")
  await walker.heading("Appearance")
  await page.getByRole("tab", { name: "Colours" }).click()
  await page.getByLabel("Header", { exact: true }).fill("#12333a")
  await page.getByLabel("Text in the header", { exact: true }).fill("#ffffff")
  await page.getByLabel("Text in the menu", { exact: true }).fill("#ffffff")
  await walker.look("appearance")
  await page.getByRole("button", { name: "Discard changes" }).click()
}

const federate = async (walker: Walker, scene: AdministratorScene) => {
  const { page } = walker
  await walker.navigate("Federation")
  await walker.heading("Federation")
  await page.getByText("Nobody is followed").waitFor()
  await page.getByRole("button", { name: "Follow", exact: true }).first().click()
  await page.getByLabel("Instances, channels or accounts").fill(scene.remoteHost)
  await walker.look("follow an instance")
  await dialogOf(walker).getByRole("button", { name: "Follow", exact: true }).click()
  await page.getByRole("cell", { name: "Accepted" }).waitFor({ timeout: 90_000 })
  await walker.look("federation")
  await walker.navigate("Mirrored videos")
  await walker.heading("Mirrored videos")
  await page.getByRole("button", { name: "Mirror a video" }).first().click()
  await dialogOf(walker).getByLabel("Video").fill(scene.remoteAddress)
  await dialogOf(walker).getByRole("button", { name: "Mirror a video" }).click()
  await walker.toast(/^The video is copied in the background/)
  await page.getByRole("link", { name: scene.remoteVideo }).waitFor({ timeout: 120_000 })
  await walker.look("mirrored videos")
}

const run = async (walker: Walker) => {
  const { page } = walker
  await walker.navigate("Runners")
  await walker.heading("Runners")
  await page.getByRole("tab", { name: "Registration tokens" }).click()
  await page.getByRole("button", { name: "New token" }).click()
  await walker.toast("A token is made.")
  // The first one came with the node.
  const made = page.getByRole("row").filter({ has: page.getByRole("button", { name: "Copy token 2" }) })
  await made.getByRole("button", { name: "Copy token 2" }).click()
  await walker.toast("The token is copied.")
  const token = await made.locator(".token code").textContent()
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), token)
  await walker.look("registration tokens")
  await walker.navigate("Jobs")
  await walker.heading("Jobs")
  await page
    .getByRole("button", { name: /^Details of/ })
    .first()
    .waitFor()
  await walker.look("jobs")
}

const lookAfterUsers = async (walker: Walker, scene: AdministratorScene) => {
  const { page } = walker
  await walker.navigate("Users")
  await page.getByRole("searchbox", { name: "Search in the users" }).fill(scene.user)
  await page.getByRole("button", { name: `Actions for ${scene.user}` }).click()
  await page.getByRole("menuitem", { name: "Edit" }).click()
  await page.getByLabel("Storage", { exact: true }).selectOption({ label: "5 GB" })
  await walker.look("user")
  await page.getByRole("button", { name: "Save" }).click()
  await walker.toast(`${scene.user} is changed.`)
}

const watch = async (walker: Walker) => {
  const { page } = walker
  await walker.navigate("Logs")
  await walker.heading("Logs")
  await page.locator(".log").getByText(/\S/).first().waitFor()
  await walker.look("logs")
  await page.getByRole("tab", { name: "Administration" }).click()
  await page.getByText("root").first().waitFor()
  await walker.look("audit log")
  await walker.navigate("Statistics")
  await walker.heading("Statistics")
  await page.getByLabel("Time", { exact: true }).waitFor()
  await walker.look("statistics")
}

/** An administrator's day: a fresh node becomes an instance that follows another one, and is looked after. */
export const walkAsAdministrator = async (walker: Walker, scene: AdministratorScene): Promise<void> => {
  await begin(walker, scene)
  await configure(walker)
  await federate(walker, scene)
  await run(walker)
  await lookAfterUsers(walker, scene)
  await watch(walker)
  await walker.leave()
}
