import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Instance, send } from "../support/Federating.ts"
import { lilies, meadow } from "./support/Films.ts"
import { walkAsMaker } from "./support/Maker.ts"
import { addUser, password, startHere } from "./support/Scene.ts"
import { launch, sizes, walk } from "./support/Walker.ts"

describe("the day of a maker", () => {
  let here: Instance
  let browser: Browser

  beforeAll(async () => {
    const open = { KINORA_SIGNUP_ENABLED: "true", KINORA_SIGNUP_REQUIRES_APPROVAL: "false" }
    ;[here, browser] = await Promise.all([startHere({ ...open, KINORA_VIDEO_FILE_UPDATE_ENABLED: "true" }), launch()])
    await addUser(here, "cora")
  })
  afterAll(async () => {
    await browser?.close()
    await here?.node.remove()
  })

  it.each(sizes)("on a $size", { timeout: 600_000 }, async (size) => {
    const visitor = await addUser(here, `visitor_${size.size}`)
    const scene = {
      username: `mia_${size.size}`,
      password,
      channel: `meadow_${size.size}`,
      film: meadow(),
      second: lilies(),
      colleague: "cora",
      comment: (id: string, text: string) => send(visitor, "POST", `/api/v1/videos/${id}/comment-threads`, { text })
    }
    const problems = await walk(browser, here.node.url, "maker", size, (walker) => walkAsMaker(walker, scene))
    expect(problems).toEqual([])
  })
})
