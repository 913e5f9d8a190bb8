import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import { type Acts, form, type Given, type Values } from "./Act.ts"
import { follower, idOf, picture, remoteActor, remoteVideo, video } from "./Things.ts"

const mutedServer: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { host } = yield* remoteActor("Application")
  yield* sql`
    insert into server_block (account_id, server_id)
    select i.id, s.id from account i join actor a on a.id = i.actor_id and a.id = instance_actor(), server s
    where s.host = ${host}`
  return { host }
})

const waitingHost: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { host } = yield* remoteActor("Application")
  yield* sql`insert into delivery_host (host) values (${host})`
  return { host }
})

const followed: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { host, id } = yield* remoteActor("Application")
  yield* sql`insert into actor_follow (actor_id, target_actor_id, state) values (instance_actor(), ${id}, 'accepted')`
  return { hostOrHandle: host }
})

const copied: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { playlist, videoId } = yield* remoteVideo
  const rows = yield* sql<{ id: number }>`
    insert into video_redundancy (video_id, streaming_playlist_id, actor_id, url, base_url, strategy)
    values (${Number(videoId)}, ${Number(playlist)}, instance_actor(), ${`http://127.0.0.1/r/${videoId}`}, 'x', 'manual')
    returning id`
  return { redundancyId: idOf(rows) }
})

/** What is found in the place of a token of a runner. */
export const runnerSecret = "ptrrt-a-secret-of-runners"

const registrationToken: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    insert into runner_registration_token (token_hash, sealed)
    values (sha256(${randomUUID()}::bytea), ${runnerSecret}) returning id`
  return { registrationTokenId: idOf(rows) }
})

const runner: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { registrationTokenId } = yield* registrationToken
  const rows = yield* sql<{ id: number }>`
    insert into runner (registration_token_id, token_hash, name, ip)
    values (${Number(registrationTokenId)}, sha256(${randomUUID()}::bytea), ${randomUUID()}, '127.0.0.1') returning id`
  return { runnerId: idOf(rows) }
})

const runnerJob = (state: number): Given<Values> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { id } = yield* video
    const rows = yield* sql<{ uuid: string }>`
      with j as (
        insert into job (type, payload, state, video_id, result)
        values ('video-transcoding', '{}', 'waiting-children', ${Number(id)}, '{"runnerJobs":[]}') returning id
      )
      insert into runner_job (type, state, priority, payload, private_payload, video_id, job_id)
      select 'vod-hls-transcoding', ${state}, 1, '{}', '{}', ${Number(id)}, j.id from j returning uuid::text as uuid`
    return { jobUUID: rows[0]!.uuid }
  })

const webhook: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    insert into webhook (url, events, sealed_secret) values ('https://127.0.0.1/', '{live.started}', 'a sealed secret')
    returning id`
  return { webhookId: idOf(rows) }
})

const failedDelivery: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const values = yield* webhook
  const rows = yield* sql<{ id: number }>`
    insert into webhook_delivery (webhook_id, message_id, type, body, state)
    values (${Number(values["webhookId"])}, gen_random_uuid(), 'live.started', '{}', 3) returning id::int as id`
  return { ...values, deliveryId: idOf(rows) }
})

const withImage = (type: 1 | 2): Given<Values> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`
      insert into actor_image (actor_id, type, filename, width, height)
      values (instance_actor(), ${type}, ${`${randomUUID()}.jpg`}, 48, 48)`
    return {}
  })

const favicon: Given<Values> = Effect.succeed({ logoType: "favicon" })

/** What administrators do with the instance, its jobs and runners, and with other instances. */
export const ofInstance: Acts = {
  postJobsPause: {
    given: Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`delete from job_pause`
      return {}
    }),
    entry: ["jobs", "pause"],
    has: ["before", "after"]
  },
  postJobsResume: {
    given: Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`insert into job_pause default values on conflict do nothing`
      return {}
    }),
    entry: ["jobs", "resume"],
    has: ["before", "after"]
  },
  putCustomConfig: {
    body: { instance: { name: "Another name" } },
    entry: ["settings", "update"],
    has: ["before", "after"]
  },
  delCustomConfig: {
    given: Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`
        insert into custom_setting (path, value) values ('instance.name', '"Yet another"')
        on conflict (path) do nothing`
      return {}
    }),
    entry: ["settings", "reset"],
    has: ["before", "after"]
  },
  postConfigInstanceAvatarPick: { send: form("POST", "avatarfile", picture), entry: ["appearance", "update"] },
  deleteConfigInstanceAvatar: { given: withImage(1), entry: ["appearance", "delete"] },
  postConfigInstanceBannerPick: { send: form("POST", "bannerfile", picture), entry: ["appearance", "update"] },
  deleteConfigInstanceBanner: { given: withImage(2), entry: ["appearance", "delete"] },
  postConfigInstanceLogoPick: {
    given: favicon,
    send: form("POST", "logofile", picture),
    entry: ["appearance", "update"]
  },
  deleteConfigInstanceLogoByLogoType: { given: favicon, entry: ["appearance", "delete"] },
  putCustomPagesHomepageInstance: {
    body: { content: "# Hello" },
    entry: ["homepage", "update"],
    has: ["before", "after"]
  },
  runDebugCommand: {
    body: { command: "remove-dandling-resumable-uploads" },
    entry: ["debug", "run-command"]
  },
  postServerBlocklistServers: { body: { host: "muted.example" }, entry: ["server-blocklist", "block-server"] },
  deleteServerBlocklistServersByHost: { given: mutedServer, entry: ["server-blocklist", "unblock-server"] },
  postServerWebhooks: {
    body: { url: "https://receiver.example/", events: ["live.started"] },
    entry: ["webhook", "create"],
    has: ["after"]
  },
  putServerWebhook: {
    given: webhook,
    body: { description: "Another" },
    entry: ["webhook", "update"],
    has: ["before", "after"]
  },
  deleteServerWebhook: { given: webhook, entry: ["webhook", "delete"], has: ["before"] },
  postServerWebhookSecret: { given: webhook, body: {}, entry: ["webhook", "renew-secret"] },
  postServerWebhookPing: { given: webhook, entry: ["webhook", "ping"] },
  postServerWebhookDeliveryReplay: { given: failedDelivery, entry: ["webhook", "replay"] },
  postServerWebhookReplay: {
    given: failedDelivery,
    body: { since: "2026-01-01T00:00:00.000Z" },
    entry: ["webhook", "replay-failed"],
    has: ["after"]
  },
  postServerFederationHostRetry: { given: waitingHost, entry: ["federation-host", "retry"] },
  deleteServerFollowersByHandle: { given: follower("accepted"), entry: ["follower", "remove"], has: ["before"] },
  postServerFollowersReject: { given: follower("pending"), entry: ["follower", "reject"], has: ["before", "after"] },
  postServerFollowersAccept: { given: follower("pending"), entry: ["follower", "accept"], has: ["before", "after"] },
  postServerFollowing: { body: { hosts: ["followed.example"] }, entry: ["following", "follow"] },
  deleteServerFollowingByHostOrHandle: { given: followed, entry: ["following", "unfollow"] },
  putMirroredVideo: {
    given: remoteVideo,
    body: ({ videoId }: Values) => ({ videoId: Number(videoId) }),
    entry: ["redundancy", "mirror"]
  },
  delMirroredVideo: { given: copied, entry: ["redundancy", "remove"], has: ["before"] },
  putServerRedundancyByHost: {
    given: Effect.map(remoteActor("Application"), ({ host }) => ({ host })),
    body: { redundancyAllowed: true },
    entry: ["redundancy", "allow"],
    has: ["before", "after"]
  },
  postRunnersRegistrationTokensGenerate: { entry: ["runner-registration-token", "create"] },
  deleteRunnersRegistrationTokensByRegistrationTokenId: {
    given: registrationToken,
    entry: ["runner-registration-token", "delete"],
    has: ["before"]
  },
  deleteRunnersByRunnerId: { given: runner, entry: ["runner", "delete"], has: ["before"] },
  postRunnersJobsCancel: { given: runnerJob(1), entry: ["runner-job", "cancel"], has: ["before", "after"] },
  postRunnersJobsRetry: { given: runnerJob(4), entry: ["runner-job", "retry"], has: ["before", "after"] },
  deleteRunnersJobsByJobUUID: { given: runnerJob(1), entry: ["runner-job", "delete"], has: ["before"] }
}
