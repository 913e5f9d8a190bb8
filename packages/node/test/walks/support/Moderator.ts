import type { Walker } from "./Walker.ts"

/** What waits for a moderator. */
export interface ModeratorScene {
  readonly username: string
  readonly password: string
  /** Who asked for an account. */
  readonly applicant: string
  /** A local film that somebody reported at five seconds, and below which somebody wrote `comment`. */
  readonly film: string
  readonly comment: string
  /** A video of another instance that somebody reported, and that instance. */
  readonly remoteVideo: string
  readonly remoteHost: string
  /** A user who publishes nothing but advertising. */
  readonly spammer: string
}

const dialogOf = ({ page }: Walker) => page.getByRole("dialog")

const begin = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await walker.logIn(scene.username, scene.password)
  await walker.open("/admin")
  await walker.heading("Overview")
  await page.getByRole("link", { name: /open report/ }).waitFor()
  await walker.look("overview")
}

const answerRegistrations = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await page.getByRole("link", { name: /asks? for an account/ }).click()
  await walker.heading("Registrations")
  await page.getByRole("button", { name: `Actions for ${scene.applicant}` }).waitFor()
  await walker.look("registrations")
  await page.getByRole("button", { name: `Actions for ${scene.applicant}` }).click()
  await page.getByRole("menuitem", { name: "Grant" }).click()
  await walker.look("grant an account")
  await dialogOf(walker).getByRole("button", { name: "Grant" }).click()
  await walker.toast(`${scene.applicant} has an account.`)
}

const decideReports = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await walker.navigate("Reports")
  await walker.heading("Reports")
  const report = (name: string) => page.locator("article.report", { hasText: name }).first()
  const local = report(scene.film)
  await local.getByRole("link", { name: "Watch at 0:05" }).waitFor()
  await walker.look("reports")
  await local.getByRole("link", { name: "Watch at 0:05" }).click()
  await walker.heading(scene.film)
  await walker.look("the video at its time")
  await page.goBack()
  await local.getByRole("button", { name: "Messages (0)" }).click()
  await page.getByLabel("Message to the reporter").fill("Which bird do you mean?")
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("Which bird do you mean?").waitFor()
  await walker.look("messages of a report")
  await local.getByRole("button", { name: /^More for report/ }).click()
  await page.getByRole("menuitem", { name: "Block the video" }).click()
  await dialogOf(walker).getByLabel("Reason").fill("Too loud")
  await walker.look("block a video")
  await dialogOf(walker).getByRole("button", { name: "Block", exact: true }).click()
  await walker.toast("The video is blocked.")
  await local.getByRole("button", { name: "Accept" }).click()
  await walker.toast("The report is accepted; the reporter is notified.")
  const remote = report(scene.remoteVideo)
  await remote.getByRole("button", { name: "Reject" }).click()
  await walker.toast("The report is rejected; the reporter is notified.")
  await walker.look("decided reports")
}

const unblock = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await walker.navigate("Blocked videos")
  await walker.heading("Blocked videos")
  await page.getByText("Too loud").waitFor()
  await walker.look("blocked videos")
  await page.getByRole("button", { name: `Actions for ${scene.film}` }).click()
  await page.getByRole("menuitem", { name: "Block no longer" }).click()
  await dialogOf(walker).getByRole("button", { name: "Block no longer" }).click()
  await walker.toast("1 video is seen again.")
}

const lookAtComments = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await walker.navigate("All comments")
  await walker.heading("All comments")
  await page.getByRole("searchbox", { name: "Search in the comments" }).fill(scene.comment)
  await page.getByText(scene.comment).waitFor()
  await walker.look("all comments")
  await page
    .getByRole("button", { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole("menuitem", { name: "Delete", exact: true }).click()
  await dialogOf(walker).getByRole("button", { name: "Delete" }).click()
  await walker.toast("1 comment is deleted.")
}

const lookAtUsers = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await walker.navigate("Users")
  await walker.heading("Users")
  await page.getByRole("searchbox", { name: "Search in the users" }).fill(scene.spammer)
  await page.getByRole("button", { name: `Actions for ${scene.spammer}` }).click()
  await walker.look("users")
  await page.getByRole("menuitem", { name: "Ban" }).click()
  await dialogOf(walker).getByLabel("Reason").fill("Advertising")
  await dialogOf(walker).getByRole("button", { name: "Ban", exact: true }).click()
  await walker.toast("1 user is banned.")
}

const watchWords = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await page.evaluate("scrollTo(0, 0)")
  await walker.open("/admin/watched-words")
  await walker.heading("Watched words of the instance")
  await page.getByRole("button", { name: "New list" }).click()
  await dialogOf(walker).getByLabel("Name").fill(`Offers ${scene.username}`)
  await dialogOf(walker).getByLabel("Words").fill("bargain\nbuy now")
  await walker.look("new list of words")
  await dialogOf(walker).getByRole("button", { name: "Save" }).click()
  await walker.toast(`The list Offers ${scene.username} is saved.`)
}

const mute = async (walker: Walker, scene: ModeratorScene) => {
  const { page } = walker
  await walker.navigate("Muted for everybody")
  await walker.heading("Muted for everybody")
  await page.getByRole("tab", { name: "Servers" }).click()
  await page.getByRole("textbox", { name: "Server" }).fill(scene.remoteHost)
  await page.getByRole("button", { name: "Mute", exact: true }).click()
  await walker.toast(`${scene.remoteHost} is muted.`)
  await walker.look("muted instances")
  await page.getByRole("button", { name: `Mute ${scene.remoteHost} no longer` }).click()
  await walker.toast(`${scene.remoteHost} is muted no longer.`)
}

/** A moderator's day: what needs attention, from the registrations to an instance that is muted for a moment. */
export const walkAsModerator = async (walker: Walker, scene: ModeratorScene): Promise<void> => {
  await begin(walker, scene)
  await answerRegistrations(walker, scene)
  await decideReports(walker, scene)
  await unblock(walker, scene)
  await lookAtComments(walker, scene)
  await lookAtUsers(walker, scene)
  await watchWords(walker, scene)
  await mute(walker, scene)
  await walker.leave()
}
