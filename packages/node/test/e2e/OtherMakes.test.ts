import { layer as databaseLayer } from "@kinora/storage/platform/database/Database"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { dirname } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { embeddedServer } from "../support/EmbeddedServer.ts"
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

let ours: Instance
beforeAll(async () => {
  ours = await startInstance()
})
afterAll(async () => {
  await ours?.node.remove()
})

const channelOf = async ({ auth, node }: Instance) => {
  const me = await node.json<{ videoChannels: ReadonlyArray<{ name: string }> }>("/api/v1/users/me", auth)
  return `${node.url}/video-channels/${me.videoChannels[0]!.name}`
}

const firstComment = async ({ uuid }: CreatedVideo) =>
  await until("a comment", 60, async () => {
    const threads = `/api/v1/videos/${uuid}/comment-threads`
    return (await ours.node.json<{ data: ReadonlyArray<CommentSeen> }>(threads)).data[0]
  })

const isLiked = async ({ uuid }: CreatedVideo) =>
  await until("a like", 60, async () => {
    const { likes } = await ours.node.json<{ likes: number }>(`/api/v1/videos/${uuid}`)
    return likes === 1 ? true : undefined
  })

/** Address of a database of its own on the server that an instance has. */
const databaseBeside = async ({ node }: Instance): Promise<string> => {
  const { password, socket } = embeddedServer(node.dataDir)
  const address = (name: string) =>
    `postgres://kinora:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(dirname(socket))}`
  const created = Effect.flatMap(SqlClient, (sql) => sql`create database peer`)
  await Effect.runPromise(Effect.provide(created, databaseLayer({ url: Redacted.make(address("kinora")) })))
  return address("peer")
}

/** A server built on Fedify, which holds every signature and document of ours against its own reading of the protocols. */
describe("a server built on Fedify", () => {
  let peer: Peer
  let channel: string
  let video: CreatedVideo

  beforeAll(async () => {
    peer = await Peer.start("FedifyPeer")
    channel = await channelOf(ours)
  })
  afterAll(async () => {
    await peer?.stop()
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
    const comment = await firstComment(video)
    expect(comment.account).toMatchObject({ name: "fred", host: `127.0.0.1:${peer.port}` })
    expect(comment.text).toContain("rabbit")
    expect(comment.text).not.toContain("<p>")

    await peer.ask("like", { url: watch() })
    await isLiked(video)

    await send(ours, "POST", `/api/v1/videos/${video.uuid}/comments/${comment.id}`, { text: "Thank you" })
    await seen("the answer", (it) => it.type === "Create" && (it.object ?? "").includes("/comments/"))
  })

  it("is told when the video is gone", async () => {
    await send(ours, "DELETE", `/api/v1/videos/${video.uuid}`)
    await seen("the Delete", (it) => it.type === "Delete" && it.object === watch())
  })
})

/** A server of activitypub.bot: it signs by RFC 9421, has its keys in documents of their own and asks for ours by their ids. */
describe("a server of activitypub.bot", () => {
  let peer: Peer

  beforeAll(async () => {
    peer = await Peer.start("BotPeer", await databaseBeside(ours))
  })
  afterAll(async () => {
    await peer?.stop()
  })

  const told = async (match: (it: Seen) => boolean) =>
    await until("an activity", 60, async () => (await peer.ask<ReadonlyArray<Seen>>("seen")).find(match))

  it("follows a channel, is told of a video, reads it, replies and likes, is answered and told when it is gone", async () => {
    const channel = await channelOf(ours)
    expect(await peer.ask("follow", { actor: channel })).toMatchObject({ actor: channel })
    await until("the Accept", 60, async () => (await peer.ask<boolean>("following", { actor: channel })) || undefined)

    const video = await publish(ours, { name: "For bots" })
    const url = `${ours.node.url}/videos/watch/${video.uuid}`
    await told(({ object, type }) => object === url && /^(Announce|Create)$/.test(type))
    expect(await peer.ask("video", { url })).toEqual({ id: url, type: "Video", name: "For bots", duration: "PT2S" })

    await peer.ask("reply", { text: "A fine rabbit", to: url })
    const comment = await firstComment(video)
    expect(comment.text).toContain("A fine rabbit")
    expect(comment.account).toMatchObject({ name: "watcher", host: `127.0.0.1:${peer.port}` })
    await peer.ask("like", { url })
    await isLiked(video)

    await send(ours, "POST", `/api/v1/videos/${video.uuid}/comments/${comment.id}`, { text: "Thank you" })
    await told(({ object, type }) => type === "Create" && (object ?? "").startsWith(`${url}/comments/`))
    await send(ours, "DELETE", `/api/v1/videos/${video.uuid}`)
    await told(({ object, type }) => type === "Delete" && object === url)
  })
})
