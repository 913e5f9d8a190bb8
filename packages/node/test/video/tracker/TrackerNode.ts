import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { type Overrides } from "../../../src/platform/config/Config.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { TrackerRoutes } from "../../../src/video/tracker/TrackerHttp.ts"
import { Users } from "../../../src/people/user/Users.ts"
import { testOptions, testServices } from "../../instance/about/TestNode.ts"
import { addVideo, type VideoOptions } from "../list/Videos.ts"

const owner = Layer.effectDiscard(
  Effect.flatMap(Users, (users) =>
    users.create({ username: "owner", email: "owner@example.com", password: "password1", role: 2 })
  )
)

/** A node with a tracker and little else, and somebody whose videos are shared. */
export const trackerNode = (overrides: Overrides = {}) =>
  owner.pipe(Layer.provideMerge(layerServe(TrackerRoutes, testOptions)), Layer.provideMerge(testServices(overrides)))

/** Gives a new video torrents with a hash of its own, 40 hexadecimal digits, for its web video and its HLS file. */
export const sharedVideo = Effect.fn("sharedVideo")(function* (options: Partial<VideoOptions> = {}) {
  const video = yield* addVideo({ owner: "owner", ...options })
  const sql = yield* SqlClient
  const web = randomBytes(20).toString("hex")
  const hls = randomBytes(20).toString("hex")
  yield* sql`update video_file set info_hash = ${web} where id = ${video.fileId}`
  yield* sql`update video_file set info_hash = ${hls} where id = ${video.hlsFileId}`
  return { ...video, web, hls }
})

export const percent = (hex: string): string => hex.replaceAll(/../g, "%$&")
export const binary = (hex: string): string => Buffer.from(hex, "hex").toString("latin1")
export const newPeerId = (): string => Buffer.concat([Buffer.from("-TE0001-"), randomBytes(12)]).toString("hex")
