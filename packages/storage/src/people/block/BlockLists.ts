import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ListPage } from "@kinora/domain/requests/ActorListQueries"
import type { AccountBlock, BlocklistSubscriptionSummary, BlockStatus, ServerBlock } from "@kinora/domain/wire/Block"
import { type Json, jsonOf, type JsonPage, toJson } from "@kinora/domain/wire/Json"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { actorTexts } from "../actor/ActorTexts.ts"
import { instanceAccount } from "../account/OwnerBlocks.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { direction, limit } from "../../platform/database/JsonPage.ts"
import { escapeLike } from "../../platform/database/LikeText.ts"
import { textPage } from "../../platform/database/TextPage.ts"
import type { Blocker } from "./BlockRows.ts"

/** A page of blocks, by the time they were made. `subscriptionName`: only those that came by such a subscription. */
export interface BlockPage extends ListPage<"createdAt"> {
  readonly subscriptionName?: string | undefined
}

/** The subscription a block came by; nulls: it was made by hand. */
interface Origin {
  readonly originId: number | null
  readonly originName: string
  readonly originUrl: string
}

const originOf = ({ originId, originName, originUrl }: Origin): BlocklistSubscriptionSummary | null =>
  originId === null ? null : { id: originId, name: originName, url: originUrl }

/** What is asked about, with the text it was named by. */
export interface StatusQuestion {
  readonly accounts: ReadonlyArray<{ readonly text: string; readonly value: ActorHandle }>
  readonly hosts: ReadonlyArray<{ readonly text: string; readonly value: string }>
}

interface Standing {
  readonly byUser: boolean
  readonly byInstance: boolean
  /** Name of the instance's subscription that it came by. */
  readonly bySubscription: string | null
}

const notBlocked: Standing = { byUser: false, byInstance: false, bySubscription: null }

const statusOf = ({ byInstance, bySubscription, byUser }: Standing) => ({
  blockedByServer: byInstance,
  blockedByServerSubscription: bySubscription,
  blockedByUser: byUser
})

/** The members that every block ends with. */
const ending = (row: Origin & { readonly createdAt: string }): string =>
  `"createdAt":"${row.createdAt}","blocklistSubscription":${toJson(originOf(row))}}`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const instance = sql`(${instanceAccount(sql)})`
  const idOf = (blocker: Blocker): Fragment => (blocker === "instance" ? instance : sql`${blocker}::int`)

  /** The subscription by which a block `b` of a host and a name came. The one that has stood longest is shown. */
  const origin = (host: string, name: string) =>
    sql.literal(`lateral (
      select u.id, u.name, u.url from blocklist_entry e join blocklist_subscription u on u.id = e.subscription_id
      where not b.by_hand and e.host = ${host} and e.name = ${name} and not e.lifted order by u.id limit 1
    )`)
  const ofAccount = origin("s.host", "t.preferred_username")
  const ofServer = origin("s.host", "''")
  const originColumns = sql.literal(`o.id as "originId", o.name as "originName", o.url as "originUrl"`)

  const cameBy = (name: string | undefined, of: Fragment): Fragment =>
    name === undefined || name === ""
      ? sql``
      : sql`and exists (select from ${of} n where lower(n.name) = lower(${name}))`

  const byAccount = Effect.fnUntraced(function* (blocker: Blocker) {
    const rows = yield* sql<{ actorId: number; text: string | null }>`
      select c.actor_id as "actorId", w.text as text from account c left join actor_read_model w on w.actor_id = c.actor_id
      where c.id = ${idOf(blocker)}`
    const [text] = yield* actorTexts(sql, rows)
    return text ?? "null"
  })

  const accounts = Effect.fn("BlockLists.accounts")(function* (blocker: Blocker, page: BlockPage) {
    const pattern = page.search === undefined ? undefined : `%${escapeLike(page.search)}%`
    const found =
      pattern === undefined
        ? sql``
        : sql`and (c.display_name ilike ${pattern} or t.preferred_username::text || coalesce('@' || s.host::text, '') ilike ${pattern})`
    const from = sql`from account_block b join account c on c.id = b.target_account_id join actor t on t.id = c.actor_id
      left join server s on s.id = t.server_id
      where b.account_id = ${idOf(blocker)} ${found} ${cameBy(page.subscriptionName, ofAccount)}`
    const way = direction(sql, page.sort.descending)
    const [counted] = yield* sql<{ total: number }>`select count(*)::int as total ${from}`
    const rows = yield* sql<Origin & { actorId: number; text: string | null; createdAt: string }>`
      select p.*, ${originColumns} from (
        select t.id as "actorId", (select w.text from actor_read_model w where w.actor_id = t.id) as text,
          wire_time(b.created_at) as "createdAt", b.created_at, b.by_hand, b.target_account_id as target, s.host,
          t.preferred_username ${from}
        order by b.created_at ${way}, b.target_account_id ${way} ${limit(sql, page)}
      ) p, lateral (select p.by_hand) b, lateral (select p.host) s, lateral (select p.preferred_username) t
        left join ${ofAccount} o on true
      order by p.created_at ${way}, p.target ${way}`
    const by = yield* byAccount(blocker)
    const texts = yield* actorTexts(sql, rows)
    const items = rows.map((row, place) =>
      jsonOf<AccountBlock>(`{"byAccount":${by},"blockedAccount":${texts[place]},${ending(row)}`)
    )
    return textPage(counted?.total ?? 0, items)
  }, withDatabaseErrors)

  const servers = Effect.fn("BlockLists.servers")(function* (blocker: Blocker, page: BlockPage) {
    const found = page.search === undefined ? sql`` : sql`and s.host::text ilike ${`%${escapeLike(page.search)}%`}`
    const from = sql`from server_block b join server s on s.id = b.server_id
      where b.account_id = ${idOf(blocker)} ${found} ${cameBy(page.subscriptionName, ofServer)}`
    const way = direction(sql, page.sort.descending)
    const [counted] = yield* sql<{ total: number }>`select count(*)::int as total ${from}`
    const rows = yield* sql<Origin & { host: string; createdAt: string }>`
      select p.name as host, p."createdAt", ${originColumns} from (
        select s.host, s.host::text as name, wire_time(b.created_at) as "createdAt", b.created_at, b.by_hand, b.server_id ${from}
        order by b.created_at ${way}, b.server_id ${way} ${limit(sql, page)}
      ) p, lateral (select p.by_hand) b, lateral (select p.host) s left join ${ofServer} o on true
      order by p.created_at ${way}, p.server_id ${way}`
    const by = yield* byAccount(blocker)
    const items = rows.map((row) =>
      jsonOf<ServerBlock>(`{"byAccount":${by},"blockedServer":${toJson({ host: row.host })},${ending(row)}`)
    )
    return textPage(counted?.total ?? 0, items)
  }, withDatabaseErrors)

  const accountStandings = Effect.fnUntraced(function* (
    viewer: number | undefined,
    handles: ReadonlyArray<ActorHandle>
  ) {
    const rows = yield* sql<Standing & { place: number }>`
      select (n.place - 1)::integer as place,
        exists (select from account_block where account_id = ${viewer ?? null}::int and target_account_id = c.id) as "byUser",
        b.target_account_id is not null as "byInstance", o.name as "bySubscription"
      from unnest(${handles.map(({ name }) => name)}::text[], ${handles.map(({ host }) => host ?? "")}::text[])
        with ordinality n (name, host, place)
        join actor a on a.preferred_username = n.name::citext
        join account c on c.actor_id = a.id left join server s on s.id = a.server_id
        left join account_block b on b.account_id = ${instance} and b.target_account_id = c.id
        left join ${origin("s.host", "a.preferred_username")} o on true
      where s.host is not distinct from nullif(nullif(n.host, ''), lower(wire_host(wire_origin())))::citext`
    return new Map(rows.map(({ place, ...standing }) => [place, standing] as const))
  })

  const hostStandings = Effect.fnUntraced(function* (viewer: number | undefined, hosts: ReadonlyArray<string>) {
    const rows = yield* sql<Standing & { host: string }>`
      select s.host::text as host,
        exists (select from server_block where account_id = ${viewer ?? null}::int and server_id = s.id) as "byUser",
        b.server_id is not null as "byInstance", o.name as "bySubscription"
      from server s left join server_block b on b.account_id = ${instance} and b.server_id = s.id
        left join ${ofServer} o on true where s.host = any(${hosts}::citext[])`
    return new Map(rows.map(({ host, ...standing }) => [host, standing] as const))
  })

  const status = Effect.fn("BlockLists.status")(function* (viewer: number | undefined, question: StatusQuestion) {
    const known = yield* accountStandings(
      viewer,
      question.accounts.map(({ value }) => value)
    )
    const accounts = Object.fromEntries(
      question.accounts.map(({ text }, place) => [text, statusOf(known.get(place) ?? notBlocked)])
    )
    const standings = yield* hostStandings(
      viewer,
      question.hosts.map(({ value }) => value)
    )
    const hosts = Object.fromEntries(
      question.hosts.map(({ text, value }) => [text, statusOf(standings.get(value) ?? notBlocked)])
    )
    return toJson<BlockStatus>({ accounts, hosts })
  }, withDatabaseErrors)

  return BlockLists.of({ accounts, servers, status })
})

/** What somebody mutes, as they read it. */
export class BlockLists extends Context.Service<
  BlockLists,
  {
    /** Muted accounts; a search looks into names and handles. */
    readonly accounts: (blocker: Blocker, page: BlockPage) => Effect.Effect<JsonPage<AccountBlock>, DatabaseUnavailable>
    /** Muted instances; a search looks into hosts. */
    readonly servers: (blocker: Blocker, page: BlockPage) => Effect.Effect<JsonPage<ServerBlock>, DatabaseUnavailable>
    /** Who mutes each of these; unknown ones nobody does. `viewer` is the account that asks. */
    readonly status: (
      viewer: number | undefined,
      question: StatusQuestion
    ) => Effect.Effect<Json<BlockStatus>, DatabaseUnavailable>
  }
>()("@kinora/storage/people/block/BlockLists") {
  static readonly layer = Layer.effect(BlockLists, make)
}
