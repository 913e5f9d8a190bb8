import { Schema } from "effect"
import { NullableString, NullableTimestamp, NumberConstant, Page, Timestamp, Url } from "./Scalars.ts"

/** Words that somebody watches for; `subscriptionUrl` is where others publish them (contract: WatchedWordsLists). */
export const WatchedWordsList = Schema.Struct({
  id: Schema.Int,
  listName: Schema.String,
  words: Schema.Array(Schema.String),
  updatedAt: Timestamp,
  createdAt: Timestamp,
  subscriptionUrl: Schema.NullOr(Url)
}).annotate({ identifier: "WatchedWordsLists" })
export type WatchedWordsList = typeof WatchedWordsList.Type

export const WatchedWordsListPage = Page(WatchedWordsList)

export const CreatedWatchedWordsList = Schema.Struct({ watchedWordsList: Schema.Struct({ id: Schema.Int }) })

/** A list of words that others publish; `lastError` is ours (contract: WatchedWordsSubscription). */
export const WatchedWordsSubscription = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  url: Url,
  importedWordsCount: Schema.Int,
  lastSyncAt: NullableTimestamp,
  state: NumberConstant,
  lastError: NullableString,
  updatedAt: Timestamp,
  createdAt: Timestamp
}).annotate({ identifier: "WatchedWordsSubscription" })
export type WatchedWordsSubscription = typeof WatchedWordsSubscription.Type

export const WatchedWordsSubscriptionList = Page(WatchedWordsSubscription)
