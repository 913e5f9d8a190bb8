import { prepareReadModels } from "@kinora/storage/video/read/ReadModelVersion"
import { InboxRows } from "@kinora/storage/federation/inbox/InboxRows"
import { OutboxUpkeep } from "@kinora/storage/federation/outbox/OutboxUpkeep"
import { OutgoingActivities } from "@kinora/storage/federation/outbox/OutgoingActivities"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { seedVideos } from "../../../../storage/test/support/SeedVideos.ts"
import { TestDatabase } from "../../../../storage/test/support/TestDatabase.ts"
import { outboxLayer } from "../../../src/federation/outbox/OutboxLayer.ts"
import { Outbox } from "../../../src/federation/outbox/Outbox.ts"
import { KinoraConfig } from "../../../src/platform/config/Config.ts"

export const origin = "http://localhost:9000"

/** An activity as tests compare it: what, by whom, its id without the origin, and the hosts it goes to. */
export interface Recorded {
  readonly what: string
  readonly by: string
  readonly uri: string
  readonly hosts: ReadonlyArray<string>
}

/** The outbox over a database of its own, without anything that sends. */
export const outboxDatabase = outboxLayer.pipe(
  Layer.provideMerge(Layer.merge(OutboxUpkeep.layer, OutgoingActivities.layer)),
  Layer.provideMerge(Layer.orDie(KinoraConfig.layerTest({}))),
  Layer.provideMerge(TestDatabase)
)

/** Statements after each of which the outbox makes its activities, and transactions after which it does. */
export const stepwise = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { drain } = yield* Outbox
  const drained = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.tap(effect, () =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (transaction) =>
        Option.isSome(transaction) ? Effect.void : drain
      )
    )
  const step = <A extends object = Record<string, unknown>>(text: TemplateStringsArray, ...values: Array<unknown>) =>
    drained(sql<A>(text, ...(values as Array<never>)))
  return Object.assign(step, {
    unsafe: (text: string) => drained(sql.unsafe(text)),
    withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => drained(sql.withTransaction(effect))
  })
})

/** What was recorded since the last time this was asked, in its order. */
export const recorded = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* (yield* Outbox).drain
  const rows = yield* sql<Recorded>`
    select a.type || case when jsonb_typeof(a.body -> 'object') = 'object' then ' ' || (a.body -> 'object' ->> 'type') else '' end
        as what,
      replace(a.sender, ${origin}::text, '') as by, replace(a.uri, ${origin}::text, '') as uri,
      array(select d.host from delivery d where d.activity_id = a.id order by d.host) as hosts
    from activity a order by a.id`
  yield* sql`delete from delivery`
  yield* sql`delete from activity`
  return rows
})

/** `recorded` in one line each, times and random parts of ids left out. */
export const recordedLines = Effect.map(recorded, (rows) =>
  rows.map(({ by, hosts, uri, what }) => {
    const id = uri.replace(/#\d+$/, "#").replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, "TIME")
    return `${what} ${id} by ${by} to ${hosts.join(" ")}`
  })
)

/** A person, a channel or an instance elsewhere, with a shared inbox when `shared`. Gives ids of actor, account and channel. */
export const remoteActor = Effect.fn("remoteActor")(function* (
  host: string,
  name: string,
  type: "Person" | "Group" | "Application" = "Person",
  shared = true
) {
  const sql = yield* SqlClient
  yield* sql`insert into server (host) values (${host}) on conflict do nothing`
  const url = `https://${host}/${type === "Group" ? "video-channels" : "accounts"}/${name}`
  const [actor] = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, server_id, url, inbox_url, shared_inbox_url, public_key)
    select ${type}, ${name}, id, ${url}, ${`${url}/inbox`}, ${shared ? `https://${host}/inbox` : null}::text, 'public'
    from server where host = ${host} returning id`
  const id = actor!.id
  if (type !== "Group") {
    const [account] = yield* sql<{ id: number }>`
      insert into account (actor_id, display_name) values (${id}, ${name}) returning id`
    return { id, url, accountId: account!.id }
  }
  return { id, url, accountId: 0 }
})

/** A video of a channel elsewhere. */
export const remoteVideo = Effect.fn("remoteVideo")(function* (host: string) {
  const sql = yield* SqlClient
  const owner = yield* remoteActor(host, "owner")
  const group = yield* remoteActor(host, "films", "Group")
  const [channel] = yield* sql<{ id: number }>`
    insert into video_channel (actor_id, account_id, display_name) values (${group.id}, ${owner.accountId}, 'Films') returning id`
  const [video] = yield* sql<{ id: number }>`
    insert into video (channel_id, account_id, remote, url, name, privacy, state)
    values (${channel!.id}, ${owner.accountId}, true, ${`https://${host}/videos/watch/1`}, 'Elsewhere', 1, 1) returning id`
  return { id: video!.id, owner, group }
})

export const follow = Effect.fn("follow")(function* (follower: number, target: number, state = "accepted") {
  const sql = yield* stepwise
  yield* sql`
    insert into actor_follow (actor_id, target_actor_id, state, url)
    values (${follower}, ${target}, ${state}, ${`https://elsewhere.example/follows/${follower}-${target}`})`
})

/** Applies something that came from a host, as the inbox does: with what it was in the row. */
export const applying = Effect.fn("applying")(function* <A, E, R>(
  host: string,
  activity: { readonly id: string; readonly type: string; readonly object: string | { readonly id: string } },
  change: Effect.Effect<A, E, R>
) {
  const sql = yield* stepwise
  const text = JSON.stringify(activity)
  const [row] = yield* sql<{ id: number }>`
    insert into inbox_activity (uri, host, actor_url, body, type, object)
    values (${activity.id}, ${host}, ${`https://${host}/accounts/fan`},
      ${JSON.stringify({ ...activity, "@original": text })}::text::jsonb, ${activity.type},
      ${typeof activity.object === "string" ? activity.object : activity.object.id})
    returning id`
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* InboxRows
      yield* rows.claim(host, row!.id)
      const made = yield* change
      yield* rows.applied([row!.id])
      return made
    }).pipe(Effect.provide(InboxRows.layer))
  )
})

/** The instance, two people with a channel and a video each, and who follows the first of them from elsewhere. */
export const world = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* prepareReadModels(origin)
  const [instance] = yield* sql<{ id: number }>`
    insert into actor (type, preferred_username, url, inbox_url, public_key, private_key)
    values ('Application', 'peertube', ${`${origin}/accounts/peertube`}, ${`${origin}/accounts/peertube/inbox`}, 'p', 'p')
    returning id`
  yield* sql`insert into account (actor_id, display_name) values (${instance!.id}, 'peertube')`
  yield* seedVideos({ videos: 2, accounts: 2, files: 1 })
  const people = yield* sql<{ account: number; channel: number; accountId: number; channelId: number }>`
    select a.actor_id as account, c.actor_id as channel, a.id as "accountId", c.id as "channelId"
    from account a join video_channel c on c.account_id = a.id where a.user_id is not null order by a.id`
  const [first, second] = people
  const [video] = yield* sql<{ id: number }>`select id from video where account_id = ${first!.accountId}`
  const fan = yield* remoteActor("fan.example", "fan")
  const mastodon = yield* remoteActor("small.example", "reader", "Person", false)
  const peer = yield* remoteActor("peer.example", "peertube", "Application")
  yield* follow(fan.id, first!.channel)
  yield* follow(mastodon.id, first!.account)
  yield* follow(peer.id, instance!.id)
  yield* recorded
  return { instance: instance!.id, first: first!, second: second!, videoId: video!.id, fan, mastodon, peer }
})
