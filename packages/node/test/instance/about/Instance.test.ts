import { assert, layer } from "@effect/vitest"
import { ServerConfig } from "@kinora/domain/wire/ServerConfig"
import { ServerConfigAbout } from "@kinora/domain/wire/ServerConfigAbout"
import { Debug } from "@kinora/domain/wire/Debug"
import { MyUser } from "@kinora/domain/wire/MyUser"
import { VideoDetails, VideoList } from "@kinora/domain/wire/Video"
import { JobList } from "@kinora/domain/wire/Job"
import { Account } from "@kinora/domain/wire/Account"
import { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { People, peopledNode } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"
import { bearer, send } from "./Client.ts"

layer(peopledNode, { excludeTestServices: true })("Instance", (it) => {
  it.effect("answers in the documented shapes", () =>
    Effect.gen(function* () {
      const people = yield* People
      const video = yield* addVideo({ owner: "owner" })
      yield* Effect.flatMap(
        SqlClient,
        (sql) => sql`insert into job (type, payload, state) values ('video-transcoding', '{}', 'completed')`
      )
      const shapes: ReadonlyArray<readonly [string, Schema.Decoder<unknown>, RequestInit?]> = [
        ["/api/v1/config", ServerConfig],
        ["/api/v1/config/about", ServerConfigAbout],
        ["/api/v1/users/me", MyUser, bearer(people.owner)],
        ["/api/v1/server/debug", Debug, bearer(people.administrator)],
        ["/api/v1/jobs/completed", JobList, bearer(people.administrator)],
        ["/api/v1/videos", VideoList],
        [`/api/v1/videos/${video.uuid}`, VideoDetails],
        ["/api/v1/accounts/owner", Account],
        ["/api/v1/video-channels/owner_channel", VideoChannel]
      ]
      for (const [path, schema, init] of shapes) {
        const answer = yield* send(path, init)
        assert.strictEqual(answer.status, 200, path)
        yield* Schema.decodeUnknownEffect(schema)(answer.json).pipe(
          Effect.mapError((error) => `${path}: ${error.message}`)
        )
      }
      assert.strictEqual((yield* send("/api/v1/ping")).text, "pong")
    })
  )

  it.effect("answers a settled configuration with 304", () =>
    Effect.gen(function* () {
      const first = yield* send("/api/v1/config")
      const etag = first.headers.get("etag") ?? ""
      assert.match(etag, /^W\//)
      const again = yield* send("/api/v1/config", { headers: { "if-none-match": etag } })
      assert.strictEqual(again.status, 304)
      assert.strictEqual(first.json.instance.name, "Kinora")
      assert.deepStrictEqual(first.json.transcoding.enabledResolutions, [240, 360, 480, 720, 1080])
    })
  )

  it.effect("keeps its inside to administrators (API-09)", () =>
    Effect.gen(function* () {
      const people = yield* People
      for (const path of ["/api/v1/server/debug", "/api/v1/jobs/active", "/api/v1/jobs"]) {
        const statuses: Array<number> = []
        for (const init of [
          {},
          bearer("0".repeat(40)),
          bearer(people.other),
          bearer(people.moderator),
          bearer(people.administrator)
        ]) {
          const answer = yield* send(path, init)
          statuses.push(answer.status)
          if (answer.status !== 200) assert.notProperty(answer.json, "data")
        }
        assert.deepStrictEqual(statuses, [401, 401, 403, 403, 200], path)
      }
    })
  )

  it.effect("judges a token before anything else of the request", () =>
    Effect.gen(function* () {
      const answer = yield* send("/api/v1/jobs/nonsense?count=-1")
      assert.deepInclude(answer.json, { status: 401, code: "unauthorized_request" })
      const optional = yield* send("/api/v1/videos?count=-1", bearer("0".repeat(40)))
      assert.deepInclude(optional.json, { status: 401, code: "invalid_token" })
    })
  )
})
