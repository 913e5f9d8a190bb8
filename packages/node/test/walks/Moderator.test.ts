import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, startInstance } from "../support/Federating.ts"
import { burrow, meadow } from "./support/Films.ts"
import { prepareModeration, type Reported } from "./support/Moderation.ts"
import { walkAsModerator } from "./support/Moderator.ts"
import { addFilm, addUser, startHere, uploadVideo } from "./support/Scene.ts"
import { launch, sizes, walk } from "./support/Walker.ts"

describe("the day of a moderator", () => {
  let here: Instance
  let there: Instance
  let browser: Browser
  let reported: Reported

  beforeAll(async () => {
    const byApproval = { KINORA_SIGNUP_ENABLED: "true", KINORA_SIGNUP_REQUIRES_APPROVAL: "true" }
    ;[here, there, browser] = await Promise.all([startHere(byApproval), startInstance(), launch()])
    await follow(here, there)
    const film = "A walk down to the meadow"
    const { uuid } = await addFilm(await addUser(here, "mia"), meadow(), film)
    const remoteVideo = "Whose burrow is this?"
    const remote = await uploadVideo(await addUser(there, "fern"), burrow(), { name: remoteVideo })
    reported = { film, uuid, remoteVideo, remoteUuid: remote.uuid, remoteHost: there.host }
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([here?.node.remove(), there?.node.remove()])
  })

  it.each(sizes)("on a $size", { timeout: 600_000 }, async (size) => {
    const scene = await prepareModeration(here, reported, size.size)
    const problems = await walk(browser, here.node.url, "moderator", size, (walker) => walkAsModerator(walker, scene))
    expect(problems).toEqual([])
  })
})
