import { Api } from "@kinora/domain/api/Api"
import { Documented } from "@kinora/domain/api/Documented"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import type { HttpApiEndpoint } from "effect/http-api"
import type { TestVideo } from "../list/Videos.ts"

/** Operations whose answers are about the program, not about what it holds. */
const aboutTheProgram: ReadonlySet<string> = new Set([
  "getOpenApiDocument",
  "docsPage",
  "getClientAsset",
  "getClientIcon",
  "getFavicon"
])

const groups = [...Object.values(Api.groups), ...Object.values(Documented.groups)]
const endpoints = groups.flatMap((group): Array<HttpApiEndpoint.Top> => Object.values(group.endpoints))

/** Paths of all operations that read, with their parameters in them. */
export const reads: ReadonlyArray<string> = endpoints
  .filter(({ identifier, method }) => method === "GET" && !aboutTheProgram.has(identifier))
  .map(({ path }) => path)

const filesOf = (token: string): ReadonlyArray<string> => [
  `${token}-720.mp4`,
  `${token}-720-fragmented.mp4`,
  `${token}-master.m3u8`,
  `${token}-720.m3u8`,
  `${token}-segments-sha256.json`,
  `${token}.jpg`,
  `${token}-large.jpg`,
  `${token}-sprites.jpg`,
  `${token}-en.vtt`,
  `${token}.torrent`,
  `${token}-hls.torrent`,
  `${token}.mov`
]

/** How the video can be named in a path: by its number, or by what only who was told of it knows. */
export type Naming = "number" | "uuid" | "file"

export interface Question {
  readonly path: string
  readonly naming: Naming
}

const origin = "http://localhost:9000"

/** All that a visitor can ask for on the way to the video, as far as the naming allows. */
export const questionsAbout = (video: TestVideo, marker: string): ReadonlyArray<Question> => {
  const short = toShortUuid(video.uuid)
  const ids: ReadonlyArray<readonly [string, Naming]> = [
    [String(video.id), "number"],
    [video.uuid, "uuid"],
    [short, "uuid"]
  ]
  const names = filesOf(video.token)
  const values = (name: string): ReadonlyArray<readonly [string, Naming]> => {
    switch (name) {
      case "id":
      case "videoId":
        return ids
      case "videoUUID":
        return [[video.uuid, "uuid"]]
      case "filename":
        return names.map((file) => [file, "file"] as const)
      case "playlistName":
        return [`${video.token}-master`, `${video.token}-720`].map((file) => [file, "file"] as const)
      case "videoFileId":
        return [
          [String(video.fileId), "number"],
          [String(video.hlsFileId), "number"]
        ]
      case "resolution":
        return [["720", "number"]]
      case "extension":
        return [["mp4", "number"]]
      case "name":
      case "nameWithHost":
      case "accountName":
      case "username":
        return [["owner", "number"]]
      case "channelHandle":
      case "handle":
        return [["owner_channel", "number"]]
      case "state":
        return [["completed", "number"]]
      default:
        return [["1", "number"]]
    }
  }
  const rank = { number: 0, uuid: 1, file: 2 } as const
  const worse = (a: Naming, b: Naming): Naming => (rank[a] >= rank[b] ? a : b)
  const filled = reads.flatMap((pattern) => {
    let partial: Array<Question> = [{ path: pattern, naming: "number" }]
    for (const [placeholder, name] of pattern.matchAll(/:([A-Za-z]+)/g)) {
      partial = partial.flatMap(({ naming, path }) =>
        values(name!).map(([value, how]) => ({ path: path.replace(placeholder, value), naming: worse(naming, how) }))
      )
    }
    return partial
  })
  const lists: ReadonlyArray<Question> = [
    ...["/api/v1/videos", "/api/v1/accounts/owner/videos", "/api/v1/video-channels/owner_channel/videos"],
    ...["/api/v1/search/videos", "/", "/videos/recently-added", "/videos/trending", "/videos/local"]
  ].flatMap((path) =>
    [
      `search=${marker}`,
      `search=${video.uuid}`,
      `search=${encodeURIComponent(`${origin}/w/${short}`)}`,
      "count=100&start=0&sort=-createdAt",
      "privacyOneOf=2&privacyOneOf=3&privacyOneOf=4&privacyOneOf=5",
      "include=31&isLocal=true",
      "stateOneOf=2&stateOneOf=1"
    ].map((query) => ({ path: `${path}?${query}`, naming: query.includes(short) ? "uuid" : "number" }))
  )
  const embeds = ids.flatMap(([id, naming]) =>
    [`/w/${id}`, `/videos/watch/${id}`, `/videos/embed/${id}`].map((path) => ({
      path: `/services/oembed?url=${encodeURIComponent(origin + path)}`,
      naming
    }))
  )
  const feeds = ["videos.xml", "videos.json", "video-comments.xml", "subscriptions.xml"].map(
    (name) => ({ path: `/feeds/${name}?accountName=owner`, naming: "number" }) as const
  )
  const activities = ids.flatMap(([id, naming]) =>
    ["", "/activity", "/announces", "/likes", "/comments", "/chapters"].map((path) => ({
      path: `/videos/watch/${id}${path}`,
      naming
    }))
  )
  const outboxes = ["/accounts/owner", "/video-channels/owner_channel", "/accounts/peertube"].map(
    (actor) => ({ path: `${actor}/outbox?page=1&size=50`, naming: "number" }) as const
  )
  const all = [...filled, ...lists, ...embeds, ...feeds, ...activities, ...outboxes]
  return [...new Map(all.map((question) => [question.path, question])).values()]
}
