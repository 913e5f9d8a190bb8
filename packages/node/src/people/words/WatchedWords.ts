import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { WatchedWordsListNotFound, WatchedWordsListRefused } from "@kinora/domain/errors/WatchedWordErrors"
import type { NewWatchedWordsList, WatchedWordsListUpdate } from "@kinora/domain/requests/WatchedWordRequests"
import { type KnownWordList, WatchedWordRows, type WordList } from "@kinora/storage/people/words/WatchedWordRows"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import type { Watcher } from "./Watchers.ts"

type Refused = WatchedWordsListNotFound | WatchedWordsListRefused | DatabaseUnavailable

const refuse = (reason: string) => new WatchedWordsListRefused({ reason })

const domain = "watched-words"

/** What the audit log keeps of a list. */
const facts = ({ name, words }: WordList) => ({ listName: name, words })

const isSame = (before: WordList, after: WordList): boolean =>
  before.name === after.name &&
  before.words.length === after.words.length &&
  before.words.every((word, nth) => word === after.words[nth])

/** Lists of words that accounts and the instance watch for. Those of subscriptions are their publishers' to change. */
export class WatchedWords extends Context.Service<
  WatchedWords,
  {
    /** Row id of the new list. */
    readonly add: (watcher: Watcher, list: NewWatchedWordsList) => Effect.Effect<number, Refused>
    readonly update: (watcher: Watcher, listId: number, changes: WatchedWordsListUpdate) => Effect.Effect<void, Refused>
    readonly remove: (watcher: Watcher, listId: number) => Effect.Effect<void, Refused>
  }
>()("@kinora/node/people/words/WatchedWords") {
  static readonly layer = Layer.effect(
    WatchedWords,
    Effect.gen(function* () {
      const rows = yield* WatchedWordRows
      const audit = yield* AuditTrail

      const own = Effect.fnUntraced(function* ({ accountId }: Watcher, listId: number) {
        const list = yield* rows.find(accountId, listId)
        if (list === undefined) return yield* new WatchedWordsListNotFound()
        if (list.isSubscribed) return yield* refuse("This list came by a subscription: end that instead")
        return list
      })

      const explained = <A>(change: Effect.Effect<A, Effect.Error<ReturnType<WatchedWordRows["Service"]["add"]>>>) =>
        Effect.catchTags(change, {
          WordListNameTaken: ({ name }) => Effect.fail(refuse(`There is a list named ${name} already`)),
          TooManyWords: ({ max, what }) => Effect.fail(refuse(`There can be no more than ${max} ${what} to watch for`))
        })

      const add = Effect.fn("WatchedWords.add")(function* (watcher: Watcher, given: NewWatchedWordsList) {
        const list = { name: given.listName, words: given.words }
        return yield* audit.actFor(
          watcher.moderator,
          (listId) => ({ domain, action: "create", target: { listId }, after: facts(list) }),
          explained(rows.add(watcher.accountId, list))
        )
      })

      const changed = (isThere: boolean) => (isThere ? Effect.void : Effect.fail(new WatchedWordsListNotFound()))

      const update = Effect.fn("WatchedWords.update")(function* (
        watcher: Watcher,
        listId: number,
        { listName, words }: WatchedWordsListUpdate
      ) {
        const before: KnownWordList = yield* own(watcher, listId)
        const next = { name: listName ?? before.name, words: words ?? before.words }
        if (isSame(before, next)) return
        yield* audit.actFor(
          watcher.moderator,
          () => ({ domain, action: "update", target: { listId }, before: facts(before), after: facts(next) }),
          Effect.flatMap(explained(rows.update(watcher.accountId, listId, next)), changed)
        )
      })

      const remove = Effect.fn("WatchedWords.remove")(function* (watcher: Watcher, listId: number) {
        const before = yield* own(watcher, listId)
        yield* audit.actFor(
          watcher.moderator,
          () => ({ domain, action: "delete", target: { listId }, before: facts(before) }),
          Effect.flatMap(rows.remove(watcher.accountId, listId), changed)
        )
      })

      return WatchedWords.of({ add, update, remove })
    })
  )
}
