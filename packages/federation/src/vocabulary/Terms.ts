/** The collection everything public is addressed to (ActivityPub, 5.6). */
export const publicCollection = "https://www.w3.org/ns/activitystreams#Public"

/** Spellings of it that JSON-LD makes equal (ActivityPub, 5.6). */
const publicAliases = new Set([publicCollection, "as:Public", "Public"])

export const isPublicAlias = (value: string): boolean => publicAliases.has(value)

/** Vocabularies by the prefix others commonly give them: contexts are never fetched, so no other prefix is understood. */
const vocabularies: ReadonlyArray<readonly [iri: string, prefixes: ReadonlyArray<string>]> = [
  ["https://www.w3.org/ns/activitystreams#", ["as"]],
  ["http://www.w3.org/ns/activitystreams#", []],
  ["https://w3id.org/security#", ["sec"]],
  ["https://joinpeertube.org/ns#", ["pt"]],
  ["http://schema.org/", ["sc", "schema"]],
  ["https://schema.org/", []],
  ["http://www.w3.org/ns/ldp#", ["ldp"]],
  ["http://joinmastodon.org/ns#", ["toot"]],
  ["https://join-lemmy.org/ns#", ["lemmy"]]
]

/** Where the short name of PeerTube's contexts is not the last part of the term (contract/activitypub.json: context). */
const shortNames: Readonly<Record<string, string>> = {
  "http://schema.org/license": "licence",
  "http://schema.org/inLanguage": "language",
  "http://schema.org/datePublished": "originallyPublishedAt",
  "http://schema.org/eventSchedule": "schedules"
}

const prefixes: ReadonlyMap<string, string> = new Map<string, string>(
  vocabularies.flatMap(([iri, names]) => names.map((name) => [`${name}:`, iri] as const))
)

/** The short name of a member or type written as a full IRI or with a prefix; anything else stays as it is. */
export const shortName = (term: string): string => {
  const colon = term.indexOf(":")
  if (colon < 0) return term
  const base = prefixes.get(term.slice(0, colon + 1))
  const iri = base === undefined ? term : base + term.slice(colon + 1)
  const known = shortNames[iri]
  if (known !== undefined) return known
  for (const [vocabulary] of vocabularies) if (iri.startsWith(vocabulary)) return iri.slice(vocabulary.length)
  return term
}

/** Types something is done with, whichever else an object has. */
export const knownTypes: ReadonlySet<string> = new Set([
  ...["Person", "Group", "Application", "Service", "Organization"],
  ...[
    "Create",
    "Update",
    "Delete",
    "Follow",
    "Accept",
    "Reject",
    "Announce",
    "Undo",
    "Like",
    "Dislike",
    "Flag",
    "View"
  ],
  ...["ApproveReply", "RejectReply", "Download", "Move"],
  ...["Video", "Note", "Page", "Article", "Question", "Tombstone", "Playlist", "PlaylistElement", "CacheFile"],
  ...["WatchAction", "PlayerSettings", "Collection", "CollectionPage", "OrderedCollection", "OrderedCollectionPage"],
  ...["Image", "Link", "Hashtag", "Mention", "Infohash", "SensitiveTag", "PropertyValue", "InteractionCounter"]
])

/** Members that have one value: of an array with one entry, it is this entry. */
export const singular: ReadonlySet<string> = new Set([
  ...["id", "type", "actor", "inbox", "outbox", "followers", "following", "playlists", "preferredUsername"],
  ...["name", "summary", "content", "mediaType", "published", "updated", "deleted", "duration", "uuid", "inReplyTo"],
  ...[
    "endpoints",
    "sharedInbox",
    "owner",
    "publicKeyPem",
    "controller",
    "publicKeyMultibase",
    "href",
    "width",
    "height"
  ],
  ...["first", "next", "partOf", "totalItems", "sensitive", "state", "views", "downloads", "position", "formerType"]
])

/** Members that say who speaks and of what: two different values are no choice we could make. */
export const unambiguous: ReadonlySet<string> = new Set(["id", "actor", "inbox", "owner", "controller"])

/** Members that hold whom something is for. */
export const audiences: ReadonlySet<string> = new Set(["to", "cc", "bto", "bcc", "audience", "canReply"])

/** Texts that may come by language instead: the member and its map (ActivityStreams, 4.7). */
export const languageMaps: ReadonlyArray<readonly [name: string, map: string]> = [
  ["name", "nameMap"],
  ["summary", "summaryMap"],
  ["content", "contentMap"]
]
