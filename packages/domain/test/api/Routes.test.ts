import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClientRequest, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { Documented } from "../../src/api/Documented.ts"

const groups = [...Object.values(Api.groups), ...Object.values(Documented.groups)]
const endpoints = groups.flatMap((group): Array<HttpApiEndpoint.Top> => Object.values(group.endpoints))

const routes = HttpRouter.use(
  Effect.fn(function* (router) {
    for (const { identifier, method, path } of endpoints) {
      const answer = Effect.map(HttpRouter.params, (params) =>
        HttpServerResponse.empty({ headers: { route: JSON.stringify([identifier, params]) } })
      )
      if (method !== "HEAD" && method !== "TRACE") yield* router.add(method, path as HttpRouter.PathInput, answer)
    }
  })
)
/** Which endpoint a path leads to, with its parameters; undefined for none. */
const ask = Effect.fnUntraced(function* (path: string) {
  const serve = yield* HttpRouter.toHttpEffect(routes)
  const request = HttpServerRequest.fromClientRequest(HttpClientRequest.get(`http://localhost${path}`))
  const response = yield* Effect.option(Effect.provideService(serve, HttpServerRequest.HttpServerRequest, request))
  return response._tag === "Some" ? (JSON.parse(response.value.headers["route"] ?? "null") as unknown) : undefined
})

describe("paths of the endpoints", () => {
  it.effect.each([
    ["/", "homePage", {}],
    ["/@root", "actorPage", { nameWithHost: "root" }],
    ["/@ann@videos.example:9000", "actorPage", { nameWithHost: "ann@videos.example:9000" }],
    ["/w/abc", "watchPageShort", { id: "abc" }],
    ["/w/p/abc", "playlistPageShort", { id: "abc" }],
    ["/videos/watch/9/", "watchPage", { id: "9" }],
    ["/videos/watch/playlist/9", "playlistPage", { id: "9" }],
    ["/nodeinfo/2.0.json", "getNodeInfo", { version: "2.0" }],
    ["/.well-known/nodeinfo", "getNodeInfoLinks", {}],
    ["/.well-known/dnt/", "dntStatus", {}],
    ["/.well-known/other.txt", "wellKnownFile", { file: "other.txt" }],
    ["/api/v1/videos/", "getVideos", {}],
    ["/api/v1/videos/categories", "getCategories", {}],
    ["/api/v1/videos/7BWZSgfA3s4VFoKbTaqKk4", "getVideo", { id: "7BWZSgfA3s4VFoKbTaqKk4" }],
    ["/api/v1/accounts/ann%40videos.example/videos", "getAccountVideos", { name: "ann@videos.example" }],
    ["/api/v1/jobs", "getJobs", {}],
    ["/api/v1/jobs/", "getJobs", {}],
    ["/api/v1/jobs/failed", "getJobs", { state: "failed" }],
    ["/static/web-videos/a.mp4", "getStaticWebVideosByFilename", { filename: "a.mp4" }],
    ["/static/web-videos/private/a.mp4", "getStaticWebVideosPrivateByFilename", { filename: "a.mp4" }],
    ["/static/streaming-playlists/hls/u/a.m3u8", "getHLSFile", { videoUUID: "u", filename: "a.m3u8" }],
    ["/download/web-videos/9-720.mp4", "downloadWebVideo", { id: "9", resolution: "720", extension: "mp4" }],
    [
      "/download/streaming-playlists/hls/videos/9-720-fragmented.mp4",
      "downloadHLSVideo",
      { id: "9", resolution: "720", extension: "mp4" }
    ],
    [
      "/static/streaming-playlists/hls/private/u/a-480.mp4",
      "getPrivateHLSFile",
      { videoUUID: "u", filename: "a-480.mp4" }
    ],
    [
      "/static/streaming-playlists/hls/private/u/a-480.m3u8",
      "getPrivateHLSPlaylist",
      { videoUUID: "u", playlistName: "a-480" }
    ]
  ] as ReadonlyArray<readonly [string, string, object]>)("%s", ([path, identifier, params]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask(path), [identifier, params])
    })
  )

  it.effect("are no others", () =>
    Effect.gen(function* () {
      for (const path of ["/api/v1/nothing-here", "/w/%E0%A4%A", "/static/web-videos/a/b/c"]) {
        assert.isUndefined(yield* ask(path), path)
      }
    })
  )

  it("have identifiers of their own", () => {
    const identifiers = endpoints.map(({ identifier }) => identifier)
    assert.strictEqual(new Set(identifiers).size, identifiers.length)
  })
})
