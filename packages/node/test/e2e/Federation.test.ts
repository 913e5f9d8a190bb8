import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import type { CreatedVideo, VideoAnswer } from "../support/Uploads.ts"

interface Seen extends VideoAnswer {
  readonly likes: number
  readonly isLocal: boolean
  readonly account: { readonly name: string; readonly host: string }
  readonly channel: { readonly name: string; readonly host: string; readonly followersCount: number }
}

interface Comment {
  readonly id: number
  readonly threadId: number
  readonly text: string
  readonly account: { readonly name: string; readonly host: string } | null
}

/** Two instances in processes of their own, the second following the first. */
describe("two instances", () => {
  let here: Instance
  let there: Instance
  let video: CreatedVideo

  beforeAll(async () => {
    ;[here, there] = await Promise.all([startInstance(), startInstance()])
    await follow(there, here)
    video = await publish(here, { name: "Seen from afar", description: "About **this**", "tags[0]": "rabbit" })
  })
  afterAll(async () => {
    await Promise.all([here?.node.remove(), there?.node.remove()])
  })

  const at = async (instance: Instance, uuid: string): Promise<Seen | undefined> => {
    const answer = await instance.node.get(`/api/v1/videos/${uuid}`)
    return answer.status === 200 ? ((await answer.json()) as Seen) : undefined
  }

  const comments = async (instance: Instance, uuid: string) =>
    (await instance.node.json<{ data: ReadonlyArray<Comment> }>(`/api/v1/videos/${uuid}/comment-threads`)).data

  it("see what one of them publishes, and play it from its origin", async () => {
    const seen = await until("the video there", 60, () => at(there, video.uuid))
    expect(seen).toMatchObject({
      name: "Seen from afar",
      isLocal: false,
      account: { name: "root", host: here.host },
      channel: { host: here.host }
    })
    const [file] = seen.files
    expect(file?.fileUrl.startsWith(here.node.url)).toBe(true)
    const bytes = await fetch(file!.fileUrl, { headers: { range: "bytes=0-99" } })
    expect(bytes.status).toBe(206)
    const listed = await there.node.json<{ data: ReadonlyArray<CreatedVideo> }>("/api/v1/videos?isLocal=false")
    expect(listed.data.map((it) => it.uuid)).toEqual([video.uuid])
  })

  it("follow its changes", async () => {
    await send(here, "PUT", `/api/v1/videos/${video.uuid}`, { name: "Renamed afterwards" })
    await until("the new name", 60, async () =>
      (await at(there, video.uuid))?.name === "Renamed afterwards" ? true : undefined
    )
  })

  it("talk with each other below it", async () => {
    await send(there, "POST", `/api/v1/videos/${video.uuid}/comment-threads`, { text: "Hello from afar" })
    const [first] = await until("the comment at its origin", 60, async () => {
      const found = await comments(here, video.uuid)
      return found.length > 0 ? found : undefined
    })
    expect(first).toMatchObject({ text: "Hello from afar", account: { name: "root", host: there.host } })

    await send(here, "POST", `/api/v1/videos/${video.uuid}/comments/${first!.id}`, { text: "Hello back" })
    const reply = await until("the reply there", 60, async () => {
      const [thread] = await comments(there, video.uuid)
      const tree = await there.node.json<{ children: ReadonlyArray<{ comment: Comment }> }>(
        `/api/v1/videos/${video.uuid}/comment-threads/${thread!.id}`
      )
      return tree.children[0]?.comment
    })
    expect(reply).toMatchObject({ text: "Hello back", account: { name: "root", host: here.host } })
  })

  it("count what is liked on either side", async () => {
    await send(there, "PUT", `/api/v1/videos/${video.uuid}/rate`, { rating: "like" })
    await until("the like at its origin", 60, async () =>
      (await at(here, video.uuid))?.likes === 1 ? true : undefined
    )
    await send(there, "PUT", `/api/v1/videos/${video.uuid}/rate`, { rating: "none" })
    await until("the like to be taken back", 60, async () =>
      (await at(here, video.uuid))?.likes === 0 ? true : undefined
    )
  })

  it("let a user of one follow a channel of the other", async () => {
    const { channel } = (await at(here, video.uuid))!
    await send(there, "POST", "/api/v1/users/me/subscriptions", { uri: `${channel.name}@${here.host}` })
    const uri = encodeURIComponent(`${channel.name}@${here.host}`)
    await until("the subscription to be accepted", 60, async () => {
      const answer = await there.node.get(`/api/v1/users/me/subscriptions/${uri}`, there.auth)
      return answer.status === 200 ? true : undefined
    })
    await until("the follower to be counted", 60, async () =>
      (await at(here, video.uuid))?.channel.followersCount === 1 ? true : undefined
    )
  })

  it("forget what its author deletes", async () => {
    await send(here, "DELETE", `/api/v1/videos/${video.uuid}`)
    await until("it to be gone", 60, async () => ((await at(there, video.uuid)) === undefined ? true : undefined))
  })

  it("catch up on what was published while one of them was dead", async () => {
    await there.node.stop("SIGKILL")
    const missed = await publish(here, { name: "While you were away" })
    await there.node.start()
    await until("what was missed", 60, () => at(there, missed.uuid))
  })
})
