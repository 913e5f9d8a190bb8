import { InstanceAccount } from "@kinora/storage/people/account/InstanceAccount"
import { BlockLists } from "@kinora/storage/people/block/BlockLists"
import { BlocklistSubscriptionLists } from "@kinora/storage/people/block/BlocklistSubscriptionLists"
import { BlocklistSubscriptionRows } from "@kinora/storage/people/block/BlocklistSubscriptionRows"
import { BlockRows } from "@kinora/storage/people/block/BlockRows"
import { PublicBlockLog } from "@kinora/storage/people/block/PublicBlockLog"
import { TagPolicyRows } from "@kinora/storage/people/tags/TagPolicyRows"
import { WatchedWordLists } from "@kinora/storage/people/words/WatchedWordLists"
import { WatchedWordRows } from "@kinora/storage/people/words/WatchedWordRows"
import { WordSubscriptionLists } from "@kinora/storage/people/words/WordSubscriptionLists"
import { WordSubscriptionRows } from "@kinora/storage/people/words/WordSubscriptionRows"
import { Layer } from "effect"
import { BlocklistSubscriptions } from "../block/BlocklistSubscriptions.ts"
import { Blocks } from "../block/Blocks.ts"
import { InstanceBlocks } from "../block/InstanceBlocks.ts"
import { AutomaticTags } from "../tags/AutomaticTags.ts"
import { WatchedWords } from "../words/WatchedWords.ts"
import { Watchers } from "../words/Watchers.ts"
import { WordSubscriptions } from "../words/WordSubscriptions.ts"

const rows = Layer.mergeAll(
  BlocklistSubscriptionRows.layer,
  BlockRows.layer,
  InstanceAccount.layer,
  PublicBlockLog.layer,
  TagPolicyRows.layer,
  WatchedWordRows.layer,
  WordSubscriptionRows.layer
)

const lists = Layer.mergeAll(
  BlockLists.layer,
  BlocklistSubscriptionLists.layer,
  WatchedWordLists.layer,
  WordSubscriptionLists.layer
)

/**
 * What accounts and the instance mute and watch for. Needs `SqlClient`, `KinoraConfig`, `JobBoard`, `FetchGuard` and
 * `KnownAccounts`.
 */
export const RuleServices = Layer.mergeAll(
  AutomaticTags.layer,
  BlocklistSubscriptions.layer,
  InstanceBlocks.layer.pipe(Layer.provideMerge(Blocks.layer)),
  WatchedWords.layer,
  Watchers.layer,
  WordSubscriptions.layer
).pipe(Layer.provide(rows), Layer.provideMerge(lists))
