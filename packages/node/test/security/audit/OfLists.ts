import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomUUID } from "node:crypto"
import type { Acts, Given, Values } from "./Act.ts"
import { idOf } from "./Things.ts"

const address = () => `https://lists.example/${randomUUID()}.json`

const wordList: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    insert into watched_words_list (account_id, name, words)
    select o.id, ${randomUUID()}, '{word}' from account o where o.actor_id = instance_actor() returning id`
  return { listId: idOf(rows) }
})

const wordSubscription: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    insert into watched_words_subscription (account_id, url, name)
    select o.id, ${address()}, 'lists.example' from account o where o.actor_id = instance_actor() returning id`
  return { id: idOf(rows) }
})

const blockSubscription: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ id: number }>`
    insert into blocklist_subscription (url, name) values (${address()}, 'lists.example') returning id`
  return { id: idOf(rows) }
})

const noPolicy: Given<Values> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`delete from automatic_tag_policy`
  return {}
})

/** What moderators and administrators watch for in the instance's name, and whose lists it follows. */
export const ofLists: Acts = {
  postWatchedWordsServerLists: {
    body: () => ({ listName: randomUUID(), words: ["word"] }),
    entry: ["watched-words", "create"],
    has: ["after"]
  },
  putWatchedWordsServerListsByListId: {
    given: wordList,
    body: { words: ["another word"] },
    entry: ["watched-words", "update"],
    has: ["before", "after"]
  },
  deleteWatchedWordsServerListsByListId: {
    given: wordList,
    entry: ["watched-words", "delete"],
    has: ["before"]
  },
  addServerWatchedWordsSubscription: {
    body: () => ({ url: address() }),
    entry: ["watched-words-subscription", "create"]
  },
  deleteServerWatchedWordsSubscription: {
    given: wordSubscription,
    entry: ["watched-words-subscription", "delete"]
  },
  updateServerVideoAutoTagPolicies: {
    given: noPolicy,
    body: { autoBlock: ["external-link"] },
    entry: ["automatic-tags", "update"],
    has: ["before", "after"]
  },
  addServerBlocklistSubscription: {
    body: () => ({ url: address() }),
    entry: ["blocklist-subscription", "create"]
  },
  deleteServerBlocklistSubscription: {
    given: blockSubscription,
    entry: ["blocklist-subscription", "delete"]
  }
}
