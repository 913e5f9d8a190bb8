import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { follow, type Instance, publish, send, startInstance } from "../support/Federating.ts"
import { until } from "../support/KinoraProcess.ts"
import type { CreatedVideo } from "../support/Uploads.ts"

/** Seconds within which what is shown of a remote thing follows its origin, while that is followed. */
const bound = 10

interface Rated {
  readonly likes: number
  readonly dislikes: number
}
interface Elements {
  readonly data: ReadonlyArray<{
    readonly id: number
    readonly startTimestamp: number | null
    readonly stopTimestamp: number | null
    readonly video: { readonly uuid: string } | null
  }>
}
interface Listed {
  readonly total: number
  readonly data: ReadonlyArray<CreatedVideo>
}

const form = (fields: Record<string, string | Blob>) => {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}

/** Sends a form and gives the answer's JSON. */
const sendForm = async ({ auth, node }: Instance, method: string, path: string, body: FormData): Promise<unknown> => {
  const answer = await fetch(node.url + path, { method, headers: auth, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === "" ? undefined : JSON.parse(text)
}

/** Another user of an instance. */
const userOf = async (instance: Instance, username: string): Promise<Instance> => {
  const password = `the password of ${username}`
  const quota = { videoQuota: -1, videoQuotaDaily: -1 }
  await send(instance, "POST", "/api/v1/users", {
    ...{ username, password, email: `${username}@example.com`, role: 2, channelName: `${username}_channel` },
    ...quota
  })
  return { ...instance, auth: await instance.node.login(username, password) }
}

/** `origin` publishes; `follower` follows it, and not the other way round. */
describe("what is shown of an origin that is followed", () => {
  let origin: Instance
  let follower: Instance
  let video: CreatedVideo
  let others: ReadonlyArray<CreatedVideo>

  beforeAll(async () => {
    ;[origin, follower] = await Promise.all([startInstance(), startInstance()])
    await follow(follower, origin)
    video = await publish(origin, { name: "Followed" })
    others = [await publish(origin, { name: "Second" }), await publish(origin, { name: "Third" })]
    for (const { uuid } of [video, ...others]) {
      await until("the video at its follower", 60, async () =>
        (await follower.node.get(`/api/v1/videos/${uuid}`)).status === 200 ? true : undefined
      )
    }
  })
  afterAll(async () => {
    await Promise.all([origin?.node.remove(), follower?.node.remove()])
  })

  /** Waits until the follower shows it as it is said. */
  const shows = <A>(what: string, path: string, holds: (value: A) => boolean) =>
    until(`the follower to show ${what}`, bound, async () => {
      const value = await follower.node.json<A>(path)
      return holds(value) ? value : undefined
    })

  it("has its ratings, those of the owner among them", async () => {
    const rate = (instance: Instance, rating: string) =>
      send(instance, "PUT", `/api/v1/videos/${video.uuid}/rate`, { rating })
    const rated = (likes: number, dislikes: number) =>
      shows<Rated>(`${likes} and ${dislikes}`, `/api/v1/videos/${video.uuid}`, (it) =>
        [it.likes === likes, it.dislikes === dislikes].every(Boolean)
      )
    const ann = await userOf(origin, "ann")
    await rate(ann, "like")
    await rate(origin, "like")
    await rated(2, 0)
    await rate(origin, "dislike")
    await rated(1, 1)
    await rate(origin, "none")
    await rate(ann, "none")
    await rated(0, 0)
  })

  it("has the followers of its channels, wherever they are", async () => {
    const handle = `root_channel@${origin.host}`
    await send(await userOf(origin, "ben"), "POST", "/api/v1/users/me/subscriptions", { uri: "root_channel" })
    await shows<{ followersCount: number }>(
      "one follower",
      `/api/v1/video-channels/${handle}`,
      (it) => it.followersCount === 1
    )
    await send(follower, "POST", "/api/v1/users/me/subscriptions", { uri: handle })
    await shows<{ followersCount: number }>(
      "two followers",
      `/api/v1/video-channels/${handle}`,
      (it) => it.followersCount === 2
    )
  })

  it("has the elements of playlists, their order and times, as they change", async () => {
    const me = await origin.node.json<{ videoChannels: ReadonlyArray<{ id: number }> }>("/api/v1/users/me", origin.auth)
    const fields = { displayName: "A list", privacy: "1", videoChannelId: String(me.videoChannels[0]!.id) }
    const made = (await sendForm(origin, "POST", "/api/v1/video-playlists", form(fields))) as {
      videoPlaylist: { id: number; uuid: string }
    }
    const { id, uuid } = made.videoPlaylist
    const elements = `/api/v1/video-playlists/${uuid}/videos`
    const ids = ({ data }: Elements) => data.map((it) => it.video?.uuid).join(" ")
    const add = ({ uuid: videoId }: CreatedVideo) =>
      send<{ videoPlaylistElement: { id: number } }>(origin, "POST", `/api/v1/video-playlists/${id}/videos`, {
        videoId
      })
    const { videoPlaylistElement } = await add(video)
    await until("the playlist at the follower", bound, async () => {
      const answer = await follower.node.get(elements)
      return answer.status === 200 && ids((await answer.json()) as Elements) === video.uuid ? true : undefined
    })
    for (const other of others) await add(other)
    const [second, third] = others.map((it) => it.uuid)
    await shows<Elements>("what was added", elements, (it) => ids(it) === `${video.uuid} ${second} ${third}`)
    await send(origin, "POST", `/api/v1/video-playlists/${id}/videos/reorder`, {
      startPosition: 1,
      insertAfterPosition: 3
    })
    await shows<Elements>("the new order", elements, (it) => ids(it) === `${second} ${third} ${video.uuid}`)
    await send(origin, "PUT", `/api/v1/video-playlists/${id}/videos/${videoPlaylistElement.id}`, {
      startTimestamp: 1,
      stopTimestamp: 2
    })
    await shows<Elements>("the times", elements, ({ data }) => data[2]?.startTimestamp === 1)
    await send(origin, "DELETE", `/api/v1/video-playlists/${id}/videos/${videoPlaylistElement.id}`)
    await shows<Elements>("what is left", elements, (it) => ids(it) === `${second} ${third}`)
  })

  it("has chapters and captions", async () => {
    const path = `/api/v1/videos/${video.uuid}`
    await send(origin, "PUT", `${path}/chapters`, { chapters: [{ timecode: 0, title: "Morning" }] })
    await shows<{ chapters: ReadonlyArray<{ title: string }> }>("the chapter", `${path}/chapters`, (it) =>
      it.chapters.some(({ title }) => title === "Morning")
    )
    const captionfile = new Blob(["WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"], { type: "text/vtt" })
    await sendForm(origin, "PUT", `${path}/captions/fr`, form({ captionfile }))
    const { data } = await shows<{ data: ReadonlyArray<{ captionPath: string }> }>(
      "the caption",
      `${path}/captions`,
      (it) => it.data.length === 1
    )
    expect(await (await follower.node.get(data[0]!.captionPath)).text()).toContain("Hello")
  })

  it("is in no list of an instance that does not follow, but in the subscriptions of who does", async () => {
    const ann = await userOf(follower, "ann")
    const afar = await publish(follower, { name: "Afar" })
    const [reader, other] = [await userOf(origin, "reader"), await userOf(origin, "other")]
    const handle = `root_channel@${follower.host}`
    await send(reader, "POST", "/api/v1/users/me/subscriptions", { uri: handle })
    await until("the subscription", 60, async () => {
      const path = `/api/v1/users/me/subscriptions/${encodeURIComponent(handle)}`
      return (await origin.node.get(path, reader.auth)).status === 200 ? true : undefined
    })
    const later = await publish(follower, { name: "Later" })
    const mine = () => origin.node.json<Listed>("/api/v1/users/me/subscriptions/videos", reader.auth)
    await until("it among the subscriptions", 60, async () =>
      (await mine()).data.some((it) => it.uuid === later.uuid) ? true : undefined
    )
    const search = encodeURIComponent(`${follower.node.url}/w/${afar.shortUUID}`)
    const found = await origin.node.json<Listed>(`/api/v1/search/videos?search=${search}`, reader.auth)
    expect(found.data.map((it) => it.uuid)).toEqual([afar.uuid])
    const lists = [
      "/api/v1/videos?isLocal=false",
      "/api/v1/search/videos?search=Later",
      "/api/v1/search/video-channels?search=root_channel",
      "/api/v1/video-channels?count=100",
      "/api/v1/accounts?count=100"
    ]
    // What users name exactly they may look up (`search.remote_uri`), anonymous readers may not.
    const named = [`/api/v1/search/videos?uuids=${later.uuid}`, `/api/v1/search/video-channels?handles=${handle}`]
    for (const [headers, paths] of [
      [{}, [...lists, ...named]],
      [other.auth, lists]
    ] as const) {
      for (const path of paths) {
        const { data } = await origin.node.json<{ data: ReadonlyArray<{ uuid?: string; host?: string }> }>(
          path,
          headers
        )
        expect(
          data.filter((it) => it.host === follower.host || it.uuid === later.uuid),
          path
        ).toEqual([])
      }
    }
    for (const { uuid } of [afar, later]) {
      expect((await origin.node.get(`/api/v1/videos/${uuid}`)).status).toBe(403)
    }
    expect((await follower.node.get(`/api/v1/videos/${later.uuid}`, ann.auth)).status).toBe(200)
  })
})

describe("a follow that was refused", () => {
  let asks: Instance
  let refuses: Instance

  beforeAll(async () => {
    ;[asks, refuses] = await Promise.all([
      startInstance(),
      startInstance({ KINORA_FOLLOWERS_INSTANCE_ENABLED: "false" })
    ])
  })
  afterAll(async () => {
    await Promise.all([asks?.node.remove(), refuses?.node.remove()])
  })

  const ask = () => send(asks, "POST", "/api/v1/server/following", { hosts: [refuses.host], handles: [] })
  const standing = async () => {
    const { data } = await asks.node.json<{
      data: ReadonlyArray<{ state: string; following: { host: string } }>
    }>("/api/v1/server/following?count=100")
    return data.find((it) => it.following.host === refuses.host)?.state
  }
  /** Whether a follow is asked for and not answered yet, or accepted. */
  const refused = () =>
    until("the refusal", 60, async () => {
      const state = await standing()
      return state === undefined || state === "rejected" ? true : undefined
    })

  it("is accepted when it is asked again after the setting changed, or after it was rejected by hand", async () => {
    await ask()
    await refused()
    await refuses.node.stop()
    await refuses.node.start({ KINORA_FOLLOWERS_INSTANCE_ENABLED: "true" })
    refuses = { ...refuses, auth: await refuses.node.login() }
    await follow(asks, refuses)
    const [them] = (
      await refuses.node.json<{ data: ReadonlyArray<{ follower: { name: string; host: string } }> }>(
        "/api/v1/server/followers"
      )
    ).data
    await send(refuses, "POST", `/api/v1/server/followers/${them!.follower.name}@${them!.follower.host}/reject`)
    await refused()
    await fetch(`${asks.node.url}/api/v1/server/following/${refuses.host}`, { method: "DELETE", headers: asks.auth })
    await follow(asks, refuses)
  })
})
