import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { ofOwner, type Slice } from "./ActorCollections.ts"
import type { ActorKind } from "./ActorObjects.ts"

/** A public video in an outbox. */
export interface OutboxVideo {
  readonly id: number
  readonly url: string
  /** The account of the video. */
  readonly ownerUrl: string
  /** JSON of its object, if that is kept. */
  readonly text: string | null
}

/** A part of an outbox, the newest first. */
export interface OutboxFound {
  readonly url: string
  readonly actorId: number
  readonly actorUrl: string
  readonly total: number
  readonly videos: ReadonlyArray<OutboxVideo>
}

interface Owned {
  /** Which videos `v` are in the outbox of the actor `a`. */
  readonly whose: string
  readonly total: string
}

const ofChannel = "v.channel_id = (select id from video_channel where actor_id = a.id)"

/** An account publishes its videos, a channel announces those in it, and the instance all that are public here. */
const owned: Readonly<Record<ActorKind | "instance", Owned>> = {
  account: {
    whose: "v.account_id = (select id from account where actor_id = a.id)",
    total: `coalesce((select sum(t.change) from owner_total t join account o on o.id = t.account_id
      where o.actor_id = a.id and t.visible = 2 and not t.remote), 0)`
  },
  channel: {
    whose: ofChannel,
    total: `(select count(*) from video v where ${ofChannel} and v.visible = 2 and not v.remote)`
  },
  instance: {
    whose: "true",
    total: "coalesce((select sum(change) from video_total where visible = 2 and not remote), 0)"
  }
}

// The size is written out: see `ActorCollections`. Nothing is looked for behind the end.
const statement = (kind: ActorKind | "instance", size: number): string => `
  select a.url || '/outbox' as url, a.id as "actorId", a.url as "actorUrl", a.total::int as total,
    i.id, i.url as "videoUrl", i.owner_url as "ownerUrl", i.text
  from (
    select a.*, ${owned[kind].total} as total from actor a
    where a.preferred_username = $1::citext and a.server_id is null and ${ofOwner(kind)}
  ) a left join lateral (
    select p.id, p.url, p.published_at, w.url as owner_url, k.object as text from (
      select v.id, v.url, v.published_at, v.account_id from video v
      where ${owned[kind].whose} and v.visible = 2 and not v.remote
      order by v.published_at desc, v.id desc offset $2 limit ${size}
    ) p join account o on o.id = p.account_id join actor w on w.id = o.actor_id
      left join video_read_model k on k.video_id = p.id and ${kind === "account"}
  ) i on $2::int < a.total
  order by i.published_at desc, i.id desc`

interface OutboxRow extends Omit<OutboxFound, "videos"> {
  /** Null: the part is empty. */
  readonly id: number | null
  readonly videoUrl: string
  readonly ownerUrl: string
  readonly text: string | null
}

/** What actors of this instance publish and announce, as other instances read it. */
export class ActorOutboxes extends Context.Service<
  ActorOutboxes,
  {
    /** Texts are only of accounts: outboxes of others have addresses of videos. */
    readonly read: (
      name: string,
      kind: ActorKind | "instance",
      slice: Slice
    ) => Effect.Effect<Option.Option<OutboxFound>, DatabaseUnavailable>
  }
>()("@kinora/storage/activitypub/ActorOutboxes") {
  static readonly layer = Layer.effect(
    ActorOutboxes,
    Effect.map(SqlClient, (sql) =>
      ActorOutboxes.of({
        read: (name, kind, { offset, size }) =>
          withDatabaseErrors(
            Effect.map(sql.unsafe<OutboxRow>(statement(kind, size), [name, offset]), (rows) => {
              const first = rows[0]
              if (first === undefined) return Option.none<OutboxFound>()
              const { actorId, actorUrl, total, url } = first
              const videos = rows.flatMap(({ id, ownerUrl, text, videoUrl }) =>
                id === null ? [] : [{ id, url: videoUrl, ownerUrl, text }]
              )
              return Option.some({ url, actorId, actorUrl, total, videos })
            })
          )
      })
    )
  )
}
