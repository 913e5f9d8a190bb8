import { Schema } from "effect"
import { NullableString, NullableTimestamp, NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"

/** A block list of another instance; `state` and `lastError` are ours (contract: BlocklistSubscription). */
export const BlocklistSubscription = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  url: Url,
  mutedAccountsCount: Schema.Int,
  mutedServersCount: Schema.Int,
  lastSyncAt: NullableTimestamp,
  state: NumberConstant,
  lastError: NullableString,
  createdAt: Timestamp,
  updatedAt: Timestamp
}).annotate({ identifier: "BlocklistSubscription" })
export type BlocklistSubscription = typeof BlocklistSubscription.Type

export const BlocklistSubscriptionList = Page(BlocklistSubscription)

/** What an instance blocks, as others read it: the last action for each host and account (contract: AutoMuteList). */
export const AutoMuteList = Schema.Struct({
  name: Schema.String,
  actions: Schema.Array(
    Schema.Struct({ type: Schema.Literals(["block", "unblock"]), target: Schema.String, createdAt: Timestamp })
  )
}).annotate({ identifier: "AutoMuteList" })
export type AutoMuteList = typeof AutoMuteList.Type
