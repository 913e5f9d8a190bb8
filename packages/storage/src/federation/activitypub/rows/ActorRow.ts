import { Schema } from "effect"
import { Picture } from "./Picture.ts"

/** An actor, with everything that its ActivityPub object is made of. */
export const ActorRow = Schema.Struct({
  type: Schema.Literals(["Person", "Group", "Application", "Service", "Organization"]),
  url: Schema.String,
  followingUrl: Schema.NullOr(Schema.String),
  followersUrl: Schema.NullOr(Schema.String),
  playlistsUrl: Schema.NullOr(Schema.String),
  inboxUrl: Schema.String,
  outboxUrl: Schema.NullOr(Schema.String),
  sharedInboxUrl: Schema.NullOr(Schema.String),
  username: Schema.String,
  displayName: Schema.String,
  publicKey: Schema.String,
  /** Its Ed25519 key; null until it has one. */
  multikey: Schema.NullOr(Schema.String),
  publishedAt: Schema.Date,
  summary: Schema.NullOr(Schema.String),
  indexable: Schema.Boolean,
  discoverable: Schema.Boolean,
  /** Null: it is no channel. */
  channel: Schema.NullOr(
    Schema.Struct({
      support: Schema.NullOr(Schema.String),
      publicEmail: Schema.NullOr(Schema.String),
      ownerUrl: Schema.String
    })
  ),
  /** The widest first. */
  avatars: Schema.Array(Picture),
  banners: Schema.Array(Picture)
})
export type ActorRow = typeof ActorRow.Type

const images = (type: 1 | 2): string => `(
  select coalesce(json_agg(i), '[]') from (
    select filename, width, height, remote_url as "remoteUrl" from actor_image
    where actor_id = a.id and type = ${type} order by actor_image.width desc, id
  ) i
)`

/** Selects `ActorRow` of the actors `a` that meet a condition. */
export const selectActors = (condition: string): string => `
  select a.type, a.url, a.following_url as "followingUrl", a.followers_url as "followersUrl",
    a.playlists_url as "playlistsUrl", a.inbox_url as "inboxUrl", a.outbox_url as "outboxUrl",
    a.shared_inbox_url as "sharedInboxUrl", a.preferred_username::text as username,
    coalesce(c.display_name, p.display_name, a.preferred_username::text) as "displayName",
    a.public_key as "publicKey", k.multibase as multikey, coalesce(a.remote_created_at, a.created_at) as "publishedAt",
    coalesce(c.description, p.description) as summary, a.indexable, a.discoverable,
    case when c.id is not null then json_build_object(
      'support', c.support, 'publicEmail', c.public_email, 'ownerUrl', o.url
    ) end as channel,
    ${images(1)} as avatars, ${images(2)} as banners
  from actor a
    left join video_channel c on c.actor_id = a.id and a.type = 'Group'
    left join account w on w.id = c.account_id left join actor o on o.id = w.actor_id
    left join account p on p.actor_id = a.id and a.type <> 'Group'
    left join actor_multikey k on k.actor_id = a.id
  where ${condition}`
