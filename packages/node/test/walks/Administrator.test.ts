import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Instance, startInstance } from "../support/Federating.ts"
import { rootPassword } from "../support/KinoraProcess.ts"
import { untilReady } from "../support/Uploads.ts"
import { walkAsAdministrator } from "./support/Administrator.ts"
import { burrow } from "./support/Films.ts"
import { addUser, startHere, uploadVideo } from "./support/Scene.ts"
import { launch, sizes, walk } from "./support/Walker.ts"

describe("the day of an administrator", () => {
  const remoteVideo = "Whose burrow is this?"
  let there: Instance
  let remoteAddress: string
  let browser: Browser

  beforeAll(async () => {
    ;[there, browser] = await Promise.all([startHere(), launch()])
    const { uuid } = await uploadVideo(await addUser(there, "fern"), burrow(), { name: remoteVideo })
    await untilReady(there.node, uuid, 2)
    remoteAddress = `${there.node.url}/w/${uuid}`
  })
  afterAll(async () => {
    await browser?.close()
    await there?.node.remove()
  })

  // Each with a fresh node, whose transcoding is not pinned by the environment.
  it.each(sizes)("on a $size", { timeout: 600_000 }, async (size) => {
    const here = await startInstance()
    try {
      await addUser(here, "ursula")
      const root = { username: "root", password: rootPassword, user: "ursula" }
      const scene = { ...root, remoteHost: there.host, remoteAddress, remoteVideo }
      const problems = await walk(browser, here.node.url, "administrator", size, (walker) =>
        walkAsAdministrator(walker, scene)
      )
      expect(problems).toEqual([])
    } finally {
      await here.node.remove()
    }
  })
})
