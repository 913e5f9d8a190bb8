import { Result } from "effect"
import { hostOf, originOf, ownsKey, sameOrigin } from "../authority/Authority.ts"
import { isObject, type JsonObject } from "../vocabulary/Json.ts"
import type { MalformedDocument } from "../vocabulary/Normalise.ts"
import { linkOf, malformed, markdownOf, type PictureLink, picturesOf } from "./ObjectShape.ts"
import { addressOf, booleanOf, identifierOf, identifiersOf, listOf, textOf, timeOf } from "../vocabulary/Reading.ts"

export const actorTypes = ["Person", "Group", "Application", "Service", "Organization"] as const
export type ActorType = (typeof actorTypes)[number]

/** A public key of an actor, named and owned by it. Its form is checked where it is used (`PublicKeys`). */
export type ActorKey = { readonly id: string } & (
  | { readonly kind: "pem"; readonly value: string }
  | { readonly kind: "multibase"; readonly value: string }
)

/** An actor of another instance (ActivityPub, 4). Every address but `page` and pictures is of its own origin. */
export interface ActorObject {
  readonly id: string
  readonly type: ActorType
  readonly host: string
  readonly name: string
  readonly displayName: string
  readonly inbox: string
  readonly sharedInbox: string | null
  readonly outbox: string | null
  readonly followers: string | null
  readonly following: string | null
  readonly playlists: string | null
  /** Where people look at it. */
  readonly page: string | null
  /** Markdown. */
  readonly summary: string | null
  readonly support: string | null
  readonly email: string | null
  /** Whose channel a group is; of the same origin. */
  readonly owners: ReadonlyArray<string>
  /** Never empty. */
  readonly keys: ReadonlyArray<ActorKey>
  readonly avatars: ReadonlyArray<PictureLink>
  readonly banners: ReadonlyArray<PictureLink>
  readonly published: string | null
  readonly indexable: boolean | null
  readonly discoverable: boolean | null
  readonly movedTo: string | null
  readonly alsoKnownAs: ReadonlyArray<string>
}

const isActorType = (type: unknown): type is ActorType => actorTypes.some((it) => it === type)

/** A name that can stand in a handle and in a path of ours. */
const validName = /^[^\s@/\\<>"'%?#&\p{Cc}]{1,128}$/u

/** Longest key that is looked at: RSA of 8,192 bits takes 1,500 characters. */
const maxKey = 4_000
const maxKeys = 10

const keysOf = (id: string, object: JsonObject): ReadonlyArray<ActorKey> => {
  const keys: Array<ActorKey> = []
  for (const key of listOf(object["publicKey"]).slice(0, maxKeys)) {
    if (!isObject(key)) continue
    const keyId = identifierOf(key)
    const owner = identifierOf(key["owner"]) ?? identifierOf(key["controller"])
    const value = textOf(key["publicKeyPem"], maxKey + 1)
    if (keyId === null || owner === null || value === null || value.length > maxKey) continue
    if (ownsKey(id, { id: keyId, owner })) keys.push({ id: keyId, kind: "pem", value })
  }
  for (const key of listOf(object["assertionMethod"]).slice(0, maxKeys)) {
    if (!isObject(key) || key["type"] !== "Multikey") continue
    const keyId = identifierOf(key)
    const owner = identifierOf(key["controller"])
    const value = textOf(key["publicKeyMultibase"], maxKey + 1)
    if (keyId === null || owner === null || value === null || value.length > maxKey) continue
    if (ownsKey(id, { id: keyId, owner })) keys.push({ id: keyId, kind: "multibase", value })
  }
  return keys
}

/**
 * Reads an actor as PeerTube, Mastodon, Lemmy and others write it. Cannot do without its id, type, name, inbox and a key of
 * its own. An inbox elsewhere is refused, other addresses elsewhere are left out: nobody is to be flooded in an actor's name
 * (corpus AP-01, AP-40).
 */
export const decodeActor = (object: JsonObject): Result.Result<ActorObject, MalformedDocument> => {
  const id = identifierOf(object)
  if (id === null || originOf(id) === null) return malformed("an actor without id")
  const { type } = object
  if (!isActorType(type)) return malformed("no type of actors")
  const name = textOf(object["preferredUsername"], 129)
  if (name === null || !validName.test(name)) return malformed("no name for an actor")
  const own = (value: JsonObject[string] | undefined): string | null => {
    const address = addressOf(identifierOf(value))
    return address !== null && sameOrigin(address, id) ? address : null
  }
  const inbox = own(object["inbox"])
  if (inbox === null) return malformed("no inbox of its own")
  const keys = keysOf(id, object)
  if (keys.length === 0) return malformed("no key of its own")
  const owners = identifiersOf(object["attributedTo"]).filter((it) => sameOrigin(it, id))
  const endpoints = object["endpoints"]
  return Result.succeed({
    id,
    type,
    host: hostOf(id),
    name,
    displayName: textOf(object["name"], 120) ?? name,
    inbox,
    sharedInbox: isObject(endpoints) ? own(endpoints["sharedInbox"]) : own(object["sharedInbox"]),
    outbox: own(object["outbox"]),
    followers: own(object["followers"]),
    following: own(object["following"]),
    playlists: own(object["playlists"]),
    page: linkOf(object["url"]),
    summary: markdownOf({ ...object, mediaType: null }, "summary", 10_000, "guess"),
    support: textOf(object["support"], 1_000),
    email: textOf(object["email"], 254),
    owners: owners.slice(0, 10),
    keys,
    avatars: picturesOf(object["icon"], 4),
    banners: picturesOf(object["image"], 4),
    published: timeOf(object["published"]),
    indexable: booleanOf(object["indexable"]),
    discoverable: booleanOf(object["discoverable"]),
    movedTo: addressOf(identifierOf(object["movedTo"])),
    alsoKnownAs: identifiersOf(object["alsoKnownAs"]).slice(0, 20)
  })
}
