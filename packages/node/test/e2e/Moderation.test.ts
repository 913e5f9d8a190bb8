import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

interface List<A> {
  readonly total: number
  readonly data: ReadonlyArray<A>
}

interface Comment {
  readonly id: number
  readonly text: string
  readonly heldForReview?: boolean
}

interface BlockedServer {
  readonly blockedServer: { readonly host: string }
}

/** Two instances in processes of their own, the second following the first, whose log of blocks is public. */
describe("moderation between two instances", () => {
  let here: Instance
  let there: Instance
  let video: CreatedVideo

  beforeAll(async () => {
    ;[here, there] = await Promise.all([
      startInstance({ KINORA_BLOCKLIST_PUBLIC_LOG_ENABLED: "true" }),
      startInstance()
    ])
    await follow(there, here)
    video = await publish(here, { name: "For everybody" })
    const seen = async () => ((await there.node.get(`/api/v1/videos/${video.uuid}`)).status === 200 ? true : undefined)
    await until("the video there", 60, seen)
  })
  afterAll(async () => {
    await Promise.all([here?.node.remove(), there?.node.remove()])
  })

  const comments = async (instance: Instance) =>
    (await send<List<Comment>>(instance, "GET", `/api/v1/videos/${video.uuid}/comment-threads`)).data

  const visitors = async () =>
    (await here.node.json<List<Comment>>(`/api/v1/videos/${video.uuid}/comment-threads`)).data.map(({ text }) => text)

  it("holds a comment from elsewhere that has a watched word, until it is approved", async () => {
    await send(here, "POST", "/api/v1/watched-words/accounts/root/lists", { listName: "Crude", words: ["Pâté"] })
    await send(here, "PUT", "/api/v1/automatic-tags/policies/accounts/root/comments", { review: ["Crude"] })
    const threads = `/api/v1/videos/${video.uuid}/comment-threads`
    await send(there, "POST", threads, { text: "You are a PATE!" })
    await send(there, "POST", threads, { text: "A patent remark" })
    const arrived = await until("both comments", 60, async () => {
      const found = await comments(here)
      return found.length === 2 ? found : undefined
    })
    expect(await visitors()).toEqual(["A patent remark"])
    const held = arrived.find(({ text }) => text.includes("PATE"))!
    expect(held.heldForReview).toBe(true)
    const list = "/api/v1/users/me/videos/comments?isHeldForReview=true&autoTagOneOf=Crude"
    expect((await send<List<Comment>>(here, "GET", list)).data.map(({ id }) => id)).toEqual([held.id])
    await send(here, "POST", `/api/v1/videos/${video.uuid}/comments/${held.id}/approve`)
    expect(await visitors()).toHaveLength(2)
  })

  it("applies the blocks that another instance publishes, and takes them back with the subscription", async () => {
    const blocked = async () =>
      (await send<List<BlockedServer>>(there, "GET", "/api/v1/server/blocklist/servers")).data.map(
        ({ blockedServer }) => blockedServer.host
      )
    const servers = "/api/v1/server/blocklist/servers"
    await send(there, "POST", servers, { host: "both.example" })
    for (const host of ["spam.example", "both.example"]) await send(here, "POST", servers, { host })
    const subscriptions = "/api/v1/server/blocklist/subscriptions"
    const url = `${here.node.url}/api/v1/server/blocklist/public-log`
    const { id } = await send<{ id: number }>(there, "POST", subscriptions, { url })
    await until("the block there", 60, async () => ((await blocked()).includes("spam.example") ? true : undefined))
    await send(there, "DELETE", `${subscriptions}/${id}`)
    await until("it to be withdrawn", 60, async () => ((await blocked()).includes("spam.example") ? undefined : true))
    expect(await blocked()).toEqual(["both.example"])
  })

  it("leaves its entries in the audit logs of both", async () => {
    const acts = async (instance: Instance) =>
      JSON.stringify(await send(instance, "GET", "/api/v1/server/audit-logs?startDate=2020-01-01T00:00:00.000Z"))
    expect(await acts(here)).toContain("block-server")
    const ofThere = await acts(there)
    for (const act of ["blocklist-subscription", "block-server", "both.example"]) expect(ofThere).toContain(act)
  })
})
