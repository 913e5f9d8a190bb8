import { Schema } from "effect"
import { Account } from "./Account.ts"
import { NullableString, Page, Timestamp, Url } from "./Scalars.ts"

/** The list of another instance a block came with (contract: BlocklistSubscriptionSummary). */
export const BlocklistSubscriptionSummary = Schema.Struct({ id: Schema.Int, name: Schema.String, url: Url }).annotate({
  identifier: "BlocklistSubscriptionSummary"
})
export type BlocklistSubscriptionSummary = typeof BlocklistSubscriptionSummary.Type

/** An account somebody mutes (contract: AccountBlock). `byAccount` is the instance's own for its moderators' blocks. */
export const AccountBlock = Schema.Struct({
  byAccount: Account,
  blockedAccount: Account,
  createdAt: Timestamp,
  blocklistSubscription: Schema.NullOr(BlocklistSubscriptionSummary)
}).annotate({ identifier: "AccountBlock" })
export type AccountBlock = typeof AccountBlock.Type

export const AccountBlockList = Page(AccountBlock)

/** An instance somebody mutes (contract: ServerBlock). */
export const ServerBlock = Schema.Struct({
  byAccount: Account,
  blockedServer: Schema.Struct({ host: Schema.String }),
  createdAt: Timestamp,
  blocklistSubscription: Schema.NullOr(BlocklistSubscriptionSummary)
}).annotate({ identifier: "ServerBlock" })
export type ServerBlock = typeof ServerBlock.Type

export const ServerBlockList = Page(ServerBlock)

const BlockedBy = Schema.Struct({
  blockedByServer: Schema.Boolean,
  blockedByServerSubscription: NullableString,
  blockedByUser: Schema.Boolean
})

/** Who mutes what was asked about, by the text it was asked with (contract: BlockStatus). */
export const BlockStatus = Schema.Struct({
  accounts: Schema.Record(Schema.String, BlockedBy),
  hosts: Schema.Record(Schema.String, BlockedBy)
}).annotate({ identifier: "BlockStatus" })
export type BlockStatus = typeof BlockStatus.Type
