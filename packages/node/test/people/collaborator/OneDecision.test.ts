import { assert, layer } from "@effect/vitest"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Effect, Layer, Result } from "effect"
import { showing } from "../../../src/web-pages/Visibility.ts"
import { PageVideos } from "../../../src/web-pages/PageVideos.ts"
import { AccessTokens } from "../../../src/people/session/AccessTokens.ts"
import { Admission } from "../../../src/video/upload/Admission.ts"
import { UploadDisk } from "../../../src/video/staging/UploadDisk.ts"
import { UploadSettings } from "../../../src/video/staging/UploadSettings.ts"
import { PageVideosLayer } from "../../../src/web-pages/data/PageVideosLayer.ts"
import { bearer, send } from "../../instance/about/Client.ts"
import { testNode } from "../../instance/about/TestNode.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { ask, collaborate, invite, type Sharer, sharer } from "./Sharing.ts"

const node = Layer.mergeAll(
  PageVideosLayer,
  Admission.layer.pipe(
    Layer.provide(UploadDisk.layer),
    Layer.provide(UploadSettings.layer),
    Layer.provide(UploadChannels.layer)
  )
).pipe(Layer.provideMerge(testNode()))

layer(node, { excludeTestServices: true, timeout: 60_000 })("A private video of a channel", (it) => {
  it.effect("is judged alike by the API, files, pages and uploads", () =>
    Effect.gen(function* () {
      const [owner, collaborator] = [yield* sharer("ann"), yield* sharer("ben")]
      const [invited, declined, stranger] = [yield* sharer("cid"), yield* sharer("dan"), yield* sharer("eva")]
      const moderator = yield* sharer("mod", { role: 1 })
      const accepted = yield* collaborate(owner, collaborator)
      yield* invite(owner, invited)
      const no = yield* invite(owner, declined)
      yield* ask(declined, "POST", `/video-channels/${owner.channel}/collaborators/${no}/reject`)
      const everybody: ReadonlyArray<Sharer | undefined> = [
        undefined,
        stranger,
        invited,
        declined,
        moderator,
        collaborator,
        owner
      ]
      const video = yield* addVideo({ owner: owner.name, privacy: 3 })
      const statuses = (method: string, path: string) =>
        Effect.map(
          Effect.forEach(everybody, (who) => send(path, { method, ...(who === undefined ? {} : bearer(who.token)) })),
          (answers) => answers.map(({ status }) => status).join(" ")
        )

      const api = `/api/v1/videos/${video.uuid}`
      for (const path of ["", "/description", "/captions", "/storyboards", `/metadata/${video.fileId}`]) {
        assert.strictEqual(yield* statuses("GET", api + path), "401 403 403 403 200 200 200", path)
        const byId = `/api/v1/videos/${video.id}${path}`
        assert.strictEqual(yield* statuses("GET", byId), "404 404 404 404 200 200 200", byId)
      }
      assert.strictEqual(yield* statuses("POST", `${api}/token`), "401 403 403 403 200 200 200")
      // Sources are for those who may change the video.
      assert.strictEqual(yield* statuses("GET", `${api}/source`), "401 403 403 403 200 200 200")
      assert.strictEqual(
        yield* statuses("GET", "/api/v1/users/me/videos?includeCollaborations=true&count=0"),
        "401 200 200 200 200 200 200"
      )
      for (const [who, total] of [
        [stranger, 0],
        [invited, 0],
        [collaborator, 1],
        [owner, 1]
      ] as const) {
        const { json } = yield* ask(who, "GET", "/users/me/videos?includeCollaborations=true")
        assert.strictEqual(json.total, total, who.name)
        if (total === 1) assert.strictEqual(json.data[0].uuid, video.uuid)
      }

      for (const path of [
        `/static/web-videos/private/${video.token}-720.mp4`,
        `/static/streaming-playlists/hls/private/${video.uuid}/${video.token}-master.m3u8`,
        `/static/streaming-playlists/hls/private/${video.uuid}/${video.token}-720-fragmented.mp4`,
        `/lazy-static/video-captions/${video.token}-en.vtt`
      ]) {
        assert.strictEqual(yield* statuses("GET", path), "403 403 403 403 200 200 200", path)
      }

      // Pages are opened without a login: they show nothing of it to anybody.
      const named = parseVideoIdOrUuid(video.uuid)!
      const page = yield* (yield* PageVideos).byId(named)
      assert.strictEqual((yield* Effect.flip(showing(page.facts, named)))._tag, "VideoNotFound")

      const tokens = yield* AccessTokens
      const admission = yield* Admission
      const admitted = Effect.fnUntraced(function* (who: Sharer) {
        const user = yield* tokens.authenticate(who.token, { device: null, ip: null })
        return Result.isSuccess(yield* Effect.result(admission.channel(user, owner.channelId)))
      })
      // Moderators see and remove, they do not publish in the name of others.
      const publishing = yield* Effect.forEach(everybody.slice(1) as ReadonlyArray<Sharer>, admitted)
      assert.deepStrictEqual(publishing, [false, false, false, false, true, true])
      assert.strictEqual(
        yield* statuses("GET", `/api/v1/video-channels/${owner.channel}/activities`),
        "401 403 403 403 200 200 200"
      )

      // Who leaves has no more say than a stranger.
      yield* ask(collaborator, "DELETE", `/video-channels/${owner.channel}/collaborators/${accepted}`)
      assert.strictEqual((yield* ask(collaborator, "GET", `/videos/${video.uuid}`)).status, 403)
      assert.strictEqual((yield* ask(collaborator, "DELETE", `/videos/${video.uuid}`)).status, 403)
      assert.isFalse(yield* admitted(collaborator))
      yield* collaborate(owner, collaborator)
      assert.strictEqual((yield* ask(collaborator, "DELETE", `/videos/${video.uuid}`)).status, 204)
      assert.strictEqual((yield* ask(owner, "GET", `/videos/${video.uuid}`)).status, 404)
      const { json } = yield* ask(owner, "GET", `/video-channels/${owner.channel}/activities`)
      assert.deepInclude(json.data[0], { action: { id: 3, label: "Delete" }, targetType: { id: 1, label: "Video" } })
      assert.strictEqual(json.data[0].account.name, "ben")
      assert.strictEqual(json.data[0].video.uuid, video.uuid)
    })
  )
})
