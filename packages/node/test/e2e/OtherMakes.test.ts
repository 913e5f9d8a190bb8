import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import { Peer } from "../support/peers/Peer.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

interface Seen {
  readonly type: string
  readonly id?: string
  readonly object?: string
}

interface CommentSeen {
  readonly id: number
  readonly text: string
  readonly account: { readonly name: string; readonly displayName: string; readonly host: string } | null
}

/** A server built on Fedify, which holds every signature and document of ours against its own reading of the protocols. */
describe("a server of another make", () => {
  let ours: Instance
  let peer: Peer
  let channel: string
  let video: CreatedVideo

  beforeAll(async () => {
    ;[ours, peer] = await Promise.all([startInstance(), Peer.start("FedifyPeer")])
    const me = await ours.node.json<{ videoChannels: ReadonlyArray<{ name: string }> }>("/api/v1/users/me", ours.auth)
    channel = `${ours.node.url}/video-channels/${me.videoChannels[0]!.name}`
  })
  afterAll(async () => {
    await Promise.all([ours?.node.remove(), peer?.stop()])
  })

  const seen = async (what: string, match: (it: Seen) => boolean) =>
    await until(what, 30, async () => (await peer.ask<ReadonlyArray<Seen>>("seen")).find(match))

  const watch = () => `${ours.node.url}/videos/watch/${video.uuid}`

  // By its address: this peer asks WebFinger over https alone, which nothing on loopback has.
  it("reads a channel and follows it", async () => {
    const found = await peer.ask<{ actor: string }>("follow", { actor: channel })
    expect(found).toMatchObject({ actor: channel, username: channel.split("/").at(-1) })
    await seen("the Accept", (it) => it.type === "Accept")
  })

  it("is told of a video and reads it", async () => {
    video = await publish(ours, { name: "For other makes" })
    await seen("the Announce or Create", (it) => it.object === watch() && /^(Announce|Create)$/.test(it.type))
    const read = await peer.ask<{ name: string; duration: string; urls: Array<string> }>("video", { url: watch() })
    expect(read).toMatchObject({ name: "For other makes", duration: "PT2S" })
    expect(read.urls.some((url) => url.startsWith(`${ours.node.url}/w/`))).toBe(true)
  })

  it("comments and likes, and is answered", async () => {
    await peer.ask("reply", { text: "<p>Fine <b>rabbit</b></p>", to: watch() })
    const threads = `/api/v1/videos/${video.uuid}/comment-threads`
    const comment = await until("its comment", 30, async () => {
      const { data } = await ours.node.json<{ data: ReadonlyArray<CommentSeen> }>(threads)
      return data[0]
    })
    expect(comment.account).toMatchObject({ name: "fred", host: `127.0.0.1:${peer.port}` })
    expect(comment.text).toContain("rabbit")
    expect(comment.text).not.toContain("<p>")

    await peer.ask("like", { url: watch() })
    await until("its like", 30, async () => {
      const { likes } = await ours.node.json<{ likes: number }>(`/api/v1/videos/${video.uuid}`)
      return likes === 1 ? true : undefined
    })

    await send(ours, "POST", `/api/v1/videos/${video.uuid}/comments/${comment.id}`, { text: "Thank you" })
    await seen("the answer", (it) => it.type === "Create" && (it.object ?? "").includes("/comments/"))
  })

  it("is told when the video is gone", async () => {
    await send(ours, "DELETE", `/api/v1/videos/${video.uuid}`)
    await seen("the Delete", (it) => it.type === "Delete" && it.object === watch())
  })
})
