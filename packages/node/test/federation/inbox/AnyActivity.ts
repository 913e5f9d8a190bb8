import * as fc from "fast-check"

/** Addresses of one instance that is known to the node, as they are written there. */
export interface KnownPlace {
  readonly origin: string
  readonly addresses: ReadonlyArray<string>
}

/** The instance that sends. */
export interface OwnPlace extends KnownPlace {
  /** What its objects are honestly attributed to. */
  readonly belonging: ReadonlyArray<unknown>
  readonly publicKeyPem: string
}

/** What every lie of the generated documents has in its texts. */
export const lie = "A lie about it"

const everybody = "https://www.w3.org/ns/activitystreams#Public"

const often = (times: number, ...of: ReadonlyArray<string>) => Array.from({ length: times }, () => of).flat()

const verbs = [
  ...often(6, "Create", "Update"),
  ...often(3, "Delete", "Undo", "Announce"),
  ...["Like", "Dislike", "Follow", "Accept", "Reject", "Flag", "View", "WatchAction", "Download", "Move"],
  ...["ApproveReply", "RejectReply", "Add", "Block"]
]

const names = fc.constantFrom("alice", "owner", "owner_channel", "root", "peertube", "mallory", "films")

const types = [
  ...often(5, "Note", "Video"),
  ...often(2, "Person", "Group", "Playlist", "CacheFile", "PlayerSettings", "Follow", "Like"),
  ...["PlaylistElement", "Application", "Service", "Tombstone", "Dislike", "Announce", "Create", "View", "WatchAction"],
  ...["Flag", "Page"]
]

/** Ways to write an address that mean another, or the same to some and not to others. */
const disguised = (address: string): ReadonlyArray<string> => {
  const { host, hostname, pathname, port, protocol } = new URL(address)
  const at = (place: string) => `${protocol}//${place}${pathname}`
  return [
    `${address}#fragment`,
    `${address}?`,
    `${address}/`,
    `${address}/../${pathname.split("/").at(-1)}`,
    at(`victim@${host}`),
    at(`${hostname}.:${port}`),
    at(`${hostname}:1`),
    at(hostname.toUpperCase() + (port === "" ? "" : `:${port}`)),
    at(`xn--${hostname.replaceAll(".", "-")}-.example`),
    at(`2130706433:${port}`),
    at(`127.1:${port}`),
    `HTTP://${host}${pathname}`,
    `https://${host}${pathname}`,
    `//${host}${pathname}`,
    pathname,
    address.replace("://", ":\\\\"),
    ` ${address}`,
    encodeURI(`${address}\u202e`)
  ]
}

/**
 * Activities of every kind, with everything in them drawn from the instance of the sender, another one, and ours, in all
 * mixtures. `sender` and those beside it sign what they send; now and then an activity names another actor.
 */
export const anyActivity = (
  own: OwnPlace,
  others: ReadonlyArray<KnownPlace>,
  senders: ReadonlyArray<string>
): fc.Arbitrary<{ readonly sender: string; readonly activity: Readonly<Record<string, unknown>> }> => {
  const known = [own, ...others].flatMap(({ addresses }) => addresses)
  const fresh = fc.nat(40).map((nth) => `${own.origin}/made/${nth}`)
  const strange = fc.constantFrom(...known).chain((address) => fc.constantFrom(...disguised(address)))
  const address = fc.oneof(
    ...others.map(({ addresses }) => ({ weight: 3, arbitrary: fc.constantFrom(...addresses) })),
    { weight: 3, arbitrary: fc.constantFrom(...own.addresses) },
    { weight: 3, arbitrary: fresh },
    { weight: 1, arbitrary: strange }
  )
  const actor = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...senders) }, { weight: 3, arbitrary: address })
  const actors = fc.oneof(
    actor,
    fc.array(actor, { minLength: 1, maxLength: 3 }),
    fc.record({ id: actor, type: fc.constantFrom("Person", "Group") })
  )
  const audience = fc.constantFrom(everybody, "as:Public", [everybody], [])
  /** As a video or a comment is attributed where all is well, or not. */
  const belonging = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(...own.belonging) },
    { weight: 2, arbitrary: actors }
  )
  const links = address.map((href) => [
    { type: "Link", mediaType: "text/html", href },
    { type: "Link", mediaType: "application/x-mpegURL", href: `${href}/x.m3u8` },
    { type: "Link", mediaType: "video/mp4", href: `${href}.mp4`, height: 360, width: 640, size: 9, fps: 25 }
  ])
  const { object } = fc.letrec<{ object: unknown }>((tie) => ({
    object: fc.oneof(
      { depthSize: "small", maxDepth: 3 },
      { weight: 3, arbitrary: address },
      {
        weight: 6,
        arbitrary: fc.record(
          {
            id: fc.oneof(fresh, address),
            type: fc.constantFrom(...types),
            attributedTo: belonging,
            to: audience,
            name: fc.constant(lie),
            content: fc.constant(`<p>${lie}</p>`),
            inReplyTo: address,
            url: fc.oneof({ weight: 3, arbitrary: links }, { weight: 1, arbitrary: address }),
            object: tie("object"),
            uuid: fc.uuid(),
            duration: fc.constant("PT5S"),
            published: fc.constant("2026-01-01T00:00:00.000Z"),
            updated: fc.constantFrom("2026-06-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"),
            ...{
              preferredUsername: names,
              inbox: address,
              outbox: address,
              followers: address,
              summary: fc.constant(lie)
            },
            publicKey: fc.record({ id: address, owner: address, publicKeyPem: fc.constant(own.publicKeyPem) }),
            actor: fc.oneof(fc.constantFrom(...senders), actors),
            endpoints: fc.record({ sharedInbox: address }),
            alsoKnownAs: fc.array(address, { maxLength: 2 }),
            replyApproval: address,
            theme: fc.constantFrom("galaxy", "lucide", "default"),
            orderedItems: fc.array(address, { maxLength: 3 }),
            views: fc.constantFrom(1_000_000, -5),
            position: fc.nat(5)
          },
          {
            requiredKeys: [
              ...([
                "id",
                "type",
                "attributedTo",
                "to",
                "name",
                "content",
                "inReplyTo",
                "url",
                "object",
                "uuid"
              ] as const),
              ...(["duration", "published", "preferredUsername", "inbox", "outbox", "publicKey"] as const)
            ]
          }
        )
      },
      { weight: 1, arbitrary: fc.array(tie("object"), { minLength: 1, maxLength: 2 }) }
    )
  }))
  return fc
    .record({
      sender: fc.constantFrom(...senders),
      body: fc.record(
        {
          type: fc.constantFrom(...verbs),
          object,
          target: address,
          result: fc.record({
            type: fc.constant("InteractionCounter"),
            userInteractionCount: fc.constantFrom(1_000_000, -1)
          }),
          expires: fc.constant("2999-01-01T00:00:00.000Z"),
          startTime: fc.constant("2026-11-22T00:00:00.000Z"),
          endTime: fc.constant("2026-11-22T00:01:00.000Z"),
          to: audience,
          cc: fc.array(address, { maxLength: 2 }),
          tag: fc.array(fc.record({ type: fc.constant("Mention"), href: address, name: fc.constant("@owner") }), {
            maxLength: 1
          }),
          signature: fc.record({ type: fc.constant("RsaSignature2017"), creator: address })
        },
        { requiredKeys: ["type", "object"] }
      ),
      id: fc.oneof(
        { weight: 9, arbitrary: fc.uuid().map((uuid) => `${own.origin}/activities/${uuid}`) },
        { weight: 1, arbitrary: address }
      ),
      actor: fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: actors })
    })
    .map(({ actor, body, id, sender }) => ({
      sender,
      activity: { "@context": "https://www.w3.org/ns/activitystreams", ...body, id, actor: actor ?? sender }
    }))
}
