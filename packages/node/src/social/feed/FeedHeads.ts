import { AccountNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { Account } from "@kinora/domain/wire/Account"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { type FeedOwner, FeedOwners } from "@kinora/storage/social/feed/FeedOwners"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { hash } from "node:crypto"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { toPlainText } from "../../platform/markdown/Markdown.ts"
import { type FeedHead, largest, latest } from "./FeedShape.ts"

/** Whose videos, by id or by name. */
export interface OwnerNames {
  readonly accountId?: number | undefined
  readonly accountName?: ActorHandle | undefined
  readonly videoChannelId?: number | undefined
  readonly videoChannelName?: ActorHandle | undefined
}

/** Those that were named. */
export interface FoundOwners {
  readonly account?: { readonly row: FeedOwner; readonly wire: Account }
  readonly channel?: { readonly row: FeedOwner; readonly wire: VideoChannel }
}

/** Digest of a feed's data: the data themselves would take more memory than the finished feed. */
export const digestOf = (...facts: ReadonlyArray<unknown>): string => hash("sha1", JSON.stringify(facts), "base64url")

const entryDigests = new WeakMap<object, string>()

/** The same for entries, remembered by object: few of them change between two reads. */
export const digestOfEntries = (head: unknown, entries: ReadonlyArray<object>): string =>
  digestOf(
    head,
    entries.map((entry) => {
      const known = entryDigests.get(entry)
      if (known !== undefined) return known
      const digest = digestOf(entry)
      entryDigests.set(entry, digest)
      return digest
    })
  )

/** The database's own JSON: read as it is, its shape is checked in the tests of what makes it. */
const parse = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))

/** Whom a feed is of, and what stands above its entries. */
export class FeedHeads extends Context.Service<
  FeedHeads,
  {
    /** Account and channel that are named: whoever is named must be there. */
    readonly owners: (
      names: OwnerNames
    ) => Effect.Effect<FoundOwners, AccountNotFound | VideoChannelNotFound | DatabaseUnavailable>
    /** `times` are those of the entries; `self` is the feed's own address. */
    readonly of: (
      found: FoundOwners,
      self: string | undefined,
      times: ReadonlyArray<string>
    ) => Effect.Effect<FeedHead, DatabaseUnavailable>
    /** `name` of an actor of this instance, `name@host` of another. */
    readonly handleOf: (actor: { readonly host: string; readonly name: string }) => string
  }
>()("@kinora/node/feeds/FeedHeads") {
  static readonly layer = Layer.effect(
    FeedHeads,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const rows = yield* FeedOwners
      const { origin } = config.derived
      const ownHost = new URL(origin).host

      const handleOf = ({ host, name }: { readonly host: string; readonly name: string }) =>
        host === ownHost ? name : `${name}@${host}`

      const owners = Effect.fn("FeedHeads.owners")(function* (names: OwnerNames) {
        const account = names.accountId ?? names.accountName
        const channel = names.videoChannelId ?? names.videoChannelName
        const ofAccount = account === undefined ? undefined : Option.getOrUndefined(yield* rows.account(account))
        if (account !== undefined && ofAccount === undefined) return yield* new AccountNotFound()
        const ofChannel = channel === undefined ? undefined : Option.getOrUndefined(yield* rows.channel(channel))
        if (channel !== undefined && ofChannel === undefined) return yield* new VideoChannelNotFound()
        return {
          ...(ofAccount === undefined ? {} : { account: { row: ofAccount, wire: parse(ofAccount.json) as Account } }),
          ...(ofChannel === undefined
            ? {}
            : { channel: { row: ofChannel, wire: parse(ofChannel.json) as VideoChannel } })
        } satisfies FoundOwners
      })

      const of = Effect.fn("FeedHeads.of")(function* (
        found: FoundOwners,
        self: string | undefined,
        times: ReadonlyArray<string>
      ) {
        const owner = found.channel?.wire ?? found.account?.wire
        const page = found.channel === undefined ? "a" : "c"
        const { name, short_description: description } = config.instance
        const instance = { name, description, origin }
        return {
          title: owner?.displayName ?? instance.name,
          description: toPlainText(owner === undefined ? instance.description : (owner.description ?? "")),
          link: owner === undefined ? origin : `${origin}/${page}/${handleOf(owner)}/videos`,
          self,
          image: largest(owner?.avatars ?? []) ?? `${origin}/client/icons/icon-192.png`,
          updatedAt: latest(times) ?? owner?.updatedAt ?? (yield* rows.since),
          author: owner?.displayName ?? instance.name,
          instance
        } satisfies FeedHead
      })

      return FeedHeads.of({ owners, of, handleOf })
    })
  )
}
