import type { ActorDocument } from "@kinora/federation/documents/ActorDocument"
import type { ActorRow } from "@kinora/storage/federation/activitypub/rows/ActorRow"
import { imageDocument } from "./Pictures.ts"

const multikeyOf = ({ multikey, url }: ActorRow): Pick<ActorDocument, "assertionMethod"> =>
  multikey === null
    ? {}
    : {
        assertionMethod: [{ id: `${url}#ed25519-key`, type: "Multikey", controller: url, publicKeyMultibase: multikey }]
      }

const picturesOf = ({ avatars, banners }: ActorRow, origin: string): Pick<ActorDocument, "icon" | "image"> => ({
  ...(avatars.length === 0 ? {} : { icon: avatars.map((it) => imageDocument(it, "avatars", origin)) }),
  ...(banners.length === 0 ? {} : { image: banners.map((it) => imageDocument(it, "banners", origin)) })
})

const ofChannel = ({ channel, url }: ActorRow) =>
  channel === null
    ? {}
    : ({
        support: channel.support,
        postingRestrictedToMods: true,
        attributedTo: [channel.ownerUrl],
        playerSettings: `${url}/player-settings`,
        ...(channel.publicEmail === null ? {} : { email: channel.publicEmail })
      } as const)

/**
 * The object of an actor of this instance, whose public address is `origin`. The order of members is part of the digest by
 * which the outbox knows what it sent last.
 */
export const actorDocument = (actor: ActorRow, origin: string): ActorDocument => ({
  type: actor.type,
  id: actor.url,
  following: actor.followingUrl ?? `${actor.url}/following`,
  followers: actor.followersUrl ?? `${actor.url}/followers`,
  playlists: actor.playlistsUrl ?? `${actor.url}/playlists`,
  inbox: actor.inboxUrl,
  outbox: actor.outboxUrl ?? `${actor.url}/outbox`,
  preferredUsername: actor.username,
  url: actor.url,
  name: actor.displayName,
  endpoints: { sharedInbox: actor.sharedInboxUrl ?? `${origin}/inbox` },
  publicKey: { id: `${actor.url}#main-key`, owner: actor.url, publicKeyPem: actor.publicKey },
  ...multikeyOf(actor),
  published: actor.publishedAt.toISOString(),
  ...picturesOf(actor, origin),
  summary: actor.summary,
  indexable: actor.indexable,
  discoverable: actor.discoverable,
  ...ofChannel(actor),
  attributionDomains: [new URL(origin).hostname]
})
