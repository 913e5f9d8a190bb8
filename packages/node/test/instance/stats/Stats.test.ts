import { assert, layer } from "@effect/vitest"
import { ServerStats } from "@kinora/domain/wire/ServerStats"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { metricsText } from "../../../src/platform/http/MetricsText.ts"
import { PlaybackMetrics } from "../../../src/instance/stats/PlaybackMetrics.ts"
import { addComment, feedNode } from "../../social/feed/FeedNode.ts"
import { bearer, send } from "../about/Client.ts"
import { People } from "../../video/list/People.ts"
import { addVideo } from "../../video/list/Videos.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ServerStats), { onExcessProperty: "error" })

const report = {
  playerMode: "web-video",
  resolution: 720,
  fps: 25,
  p2pEnabled: false,
  resolutionChanges: 1,
  errors: 2,
  downloadedBytesP2P: 0,
  downloadedBytesHTTP: 1000.5,
  uploadedBytesP2P: 0
}

const play = (fields: object, token?: string) =>
  send("/api/v1/metrics/playback", {
    method: "POST",
    headers: { ...(token === undefined ? {} : bearer(token).headers), "content-type": "application/json" },
    body: JSON.stringify(fields)
  })

layer(feedNode({ stats: { total_admins: { enabled: false } } }), { excludeTestServices: true })("statistics", (it) => {
  it.effect("are what the tables hold", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const shown = yield* addVideo({ owner: "owner" })
      yield* addVideo({ owner: "owner", privacy: 3 })
      yield* sql`update video set views = 5, downloads = 3 where id = ${shown.id}`
      const comment = yield* addComment(shown.id, "other", "one")
      yield* addComment(shown.id, "other", "two", comment)
      const gone = yield* addComment(shown.id, "owner", "three")
      yield* sql`select remove_comments(array[${gone}::int])`
      yield* sql`
        insert into actor_follow (actor_id, target_actor_id, state)
        select a.id, i.id, 'accepted' from actor a, actor i where a.preferred_username = 'owner' and i.type = 'Application'`
      yield* sql`
        insert into abuse (reason, kind, target, created_at, processed_at)
        values ('', 'account', '{}', now(), null), ('', 'account', '{}', now() - interval '1 minute', now())`
      yield* sql`
        insert into user_registration (state, username, email, registration_reason, created_at, processed_at)
        values (2, 'new', 'new@example.com', 'why', now() - interval '1 minute', now()),
          (1, 'newer', 'newer@example.com', 'why', now(), null)`
      yield* sql`
        insert into inbox_activity (uri, host, actor_url, body, state, processed_at)
        values ('a', 'h', 'x', '{"type":"Like"}', 'applied', now()), ('b', 'h', 'x', '{"type":"Like"}', 'refused', now()),
          ('c', 'h', 'x', '{"type":"Flag"}', 'waiting', null)`
      const { headers, text } = yield* send("/api/v1/server/stats")
      assert.strictEqual(headers.get("cache-control"), "max-age=30")
      assert.deepInclude(decode(text), {
        totalUsers: 4,
        totalDailyActiveUsers: 4,
        totalModerators: 1,
        totalAdmins: null,
        totalVideos: 1,
        totalLocalVideos: 1,
        totalLocalVideoViews: 5,
        totalLocalVideoDownloads: 3,
        totalLocalVideoComments: 2,
        totalVideoComments: 2,
        totalLocalVideoFilesSize: 400,
        totalLocalVideoChannels: 4,
        totalLocalDailyActiveVideoChannels: 1,
        totalLocalPlaylists: 0,
        totalInstanceFollowers: 1,
        totalInstanceFollowing: 0,
        totalRegistrationRequests: 2,
        totalRegistrationRequestsProcessed: 1,
        averageRegistrationRequestResponseTimeMs: 60_000,
        totalAbuses: 2,
        totalAbusesProcessed: 1,
        averageAbuseResponseTimeMs: 60_000,
        totalActivityPubMessagesWaiting: 1,
        totalActivityPubMessagesProcessed: 2,
        totalActivityPubMessagesSuccesses: 1,
        totalActivityPubLikeMessagesSuccesses: 1,
        totalActivityPubLikeMessagesErrors: 1,
        totalActivityPubFlagMessagesSuccesses: 0
      })
      yield* sql`update video set views = 50 where id = ${shown.id}`
      assert.strictEqual((yield* send("/api/v1/server/stats")).json.totalLocalVideoViews, 5, "counted once a minute")
    })
  )

  it.effect("are counted anew for administrators, and at most a minute old for others", () =>
    Effect.gen(function* () {
      const tokens = yield* People
      const videos = (answer: { readonly text: string }) => decode(answer.text).totalLocalVideos
      const before = videos(yield* send("/api/v1/server/stats"))
      yield* addVideo({ owner: "owner" })
      const fresh = yield* send("/api/v1/server/stats", bearer(tokens.administrator))
      assert.deepStrictEqual([videos(fresh), fresh.headers.get("cache-control")], [before + 1, "no-store"])
      assert.strictEqual(videos(yield* send("/api/v1/server/stats", bearer(tokens.other))), before)
    })
  )

  it.effect("of players are told to metrics, under few names", () =>
    Effect.gen(function* () {
      const { owner } = yield* People
      const { uuid } = yield* addVideo({ owner: "owner" })
      const hidden = yield* addVideo({ owner: "owner", privacy: 3 })
      assert.strictEqual((yield* play({ ...report, videoId: uuid })).status, 204)
      assert.strictEqual((yield* play({ ...report, videoId: uuid, resolution: 12_345 })).status, 204)
      assert.strictEqual(
        (yield* play({ ...report, videoId: uuid, resolution: 54_321, bufferStalled: null })).status,
        204
      )
      assert.strictEqual((yield* play({ ...report, videoId: 999_999 })).status, 404)
      assert.strictEqual((yield* play({ ...report, videoId: hidden.uuid })).status, 401)
      assert.strictEqual((yield* play({ ...report, videoId: hidden.uuid }, owner)).status, 204)
      const empty = yield* play({})
      assert.strictEqual(empty.status, 400)
      assert.sameMembers(Object.keys(empty.json["invalid-params"]), [
        "playerMode",
        "p2pEnabled",
        "resolutionChanges",
        "errors",
        "downloadedBytesP2P",
        "downloadedBytesHTTP",
        "uploadedBytesP2P",
        "videoId"
      ])
      for (const [field, value] of [
        ["playerMode", "vlc"],
        ["errors", -1],
        ["downloadedBytesHTTP", 1e300],
        ["fps", "fast"],
        ["videoId", "!"]
      ] as const) {
        const answer = yield* play({ ...report, videoId: uuid, [field]: value })
        assert.strictEqual(answer.status, 400, field)
        assert.deepStrictEqual(Object.keys(answer.json["invalid-params"]), [field])
      }
      const text = metricsText((yield* PlaybackMetrics).families())
      assert.include(text, 'kinora_playback_reports_total{player="web-video",resolution="720",p2p="false"} 2')
      assert.include(text, 'kinora_playback_reports_total{player="web-video",resolution="other",p2p="false"} 2')
      assert.include(
        text,
        'kinora_playback_http_downloaded_bytes_total{player="web-video",resolution="720",p2p="false"} 2001'
      )
      assert.notInclude(text, "12345")
    })
  )
})
