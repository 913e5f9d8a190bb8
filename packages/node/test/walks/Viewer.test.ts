import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Instance, startInstance } from "../support/Federating.ts"
import { burrow, lilies, meadow } from "./support/Films.ts"
import { addFilm, addUser, password, startHere, uploadVideo } from "./support/Scene.ts"
import { walkAsViewer } from "./support/Viewer.ts"
import { launch, sizes, walk } from "./support/Walker.ts"

describe("the day of a viewer", () => {
  const film = "A walk down to the meadow"
  const remoteVideo = "Whose burrow is this?"
  let here: Instance
  let there: Instance
  let browser: Browser

  beforeAll(async () => {
    ;[here, there, browser] = await Promise.all([startHere(), startInstance(), launch()])
    const maker = await addUser(here, "mia")
    await addFilm(maker, meadow(), film)
    await uploadVideo(maker, lilies(), { name: "Water lilies in the stream", category: "16" })
    await uploadVideo(await addUser(there, "fern"), burrow(), { name: remoteVideo })
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([here?.node.remove(), there?.node.remove()])
  })

  // The second one finds the remote channel known, and the walks of both are the same.
  it.each(sizes)("on a $size", { timeout: 600_000 }, async (size) => {
    const username = `vera_${size.size}`
    await addUser(here, username)
    const scene = { username, password, film, remoteChannel: `fern_channel@${there.host}`, remoteVideo }
    const problems = await walk(browser, here.node.url, "viewer", size, (walker) => walkAsViewer(walker, scene))
    expect(problems).toEqual([])
  })
})
