import { assert, describe, it } from "@effect/vitest"
import { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Schema } from "effect"
import type { ActorRow } from "../../../src/people/actor/ActorJson.ts"
import { playlistJson, type PlaylistRow } from "../../../src/video/playlist/PlaylistJson.ts"

const origin = "https://videos.example"
const time = "2026-01-02T03:04:05.678Z"

const owner: ActorRow = {
  actorId: 7,
  origin,
  url: `${origin}/accounts/ann`,
  name: "ann",
  host: null,
  hostRedundancyAllowed: false,
  followingCount: 0,
  followersCount: 0,
  createdAt: time,
  updatedAt: time,
  images: [],
  accountId: 3,
  userId: 2,
  channelId: null,
  support: null,
  publicEmail: null,
  ownerActorId: null,
  displayName: "Ann",
  description: null
}

const row: PlaylistRow = {
  id: 1,
  origin,
  uuid: "9c9de5e8-0a1e-484a-b099-e80766180a6d",
  url: `${origin}/video-playlists/9c9de5e8-0a1e-484a-b099-e80766180a6d`,
  name: "Watch later",
  description: null,
  remote: false,
  privacy: 3,
  type: 2,
  videosLength: 0,
  createdAt: time,
  updatedAt: time,
  pictures: [],
  cover: [],
  ownerActorId: 7,
  channelActorId: null,
  channelPosition: null
}

const decode = Schema.decodeUnknownSync(VideoPlaylist)
const read = (change: Partial<PlaylistRow>) => decode(playlistJson({ ...row, ...change }, owner, undefined))

describe("the JSON of a playlist", () => {
  it("is what the schema says, in no channel and without pictures too", () => {
    const bare = read({})
    assert.deepStrictEqual([bare.privacy.label, bare.type.label], ["Private", "Watch later"])
    assert.deepStrictEqual([bare.videoChannel, bare.thumbnailPath, bare.thumbnails], [null, null, []])
    assert.deepStrictEqual([bare.ownerAccount.id, bare.ownerAccount.host], [3, "videos.example"])
  })

  it("lists the smallest of the pictures that were chosen, and the widest of those it borrows", () => {
    const sizes = (type: number) => [
      { type, filename: `${type}a.jpg`, remoteUrl: null, width: 280, height: 157 },
      { type, filename: `${type}b.jpg`, remoteUrl: null, width: 850, height: 480 }
    ]
    const chosen = read({ pictures: sizes(1), cover: sizes(2) })
    assert.strictEqual(chosen.thumbnailPath, "/lazy-static/thumbnails/1a.jpg")
    assert.lengthOf(chosen.thumbnails, 2)
    const borrowed = read({ cover: [...sizes(1), ...sizes(2)] })
    assert.strictEqual(borrowed.thumbnailPath, "/lazy-static/thumbnails/1b.jpg")
    assert.deepStrictEqual(
      borrowed.thumbnails.map(({ fileUrl }) => fileUrl.slice(origin.length)),
      ["thumbnails/1a.jpg", "thumbnails/1b.jpg", "previews/2a.jpg", "previews/2b.jpg"].map(
        (path) => `/lazy-static/${path}`
      )
    )
  })

  it("names pictures of other instances where they are", () => {
    const fileUrl = "https://far.example/p.jpg"
    const picture = { filename: "p.jpg", remoteUrl: fileUrl, width: 280, height: 157 }
    assert.strictEqual(read({ pictures: [picture] }).thumbnails[0]?.fileUrl, fileUrl)
  })
})
