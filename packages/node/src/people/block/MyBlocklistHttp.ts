import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { CurrentUser, Viewer } from "@kinora/domain/users/CurrentUser"
import { BlockLists } from "@kinora/storage/people/block/BlockLists"
import { Effect, Option } from "effect"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { Blocks } from "./Blocks.ts"

const noStore = { headers: { "cache-control": "no-store" } }

/** What the user who asks mutes. */
export const layer = apiGroup(
  "myBlocklist",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* Blocks
    const lists = yield* BlockLists

    return handlers.handleAll({
      getBlocklistStatus: ({ query }) =>
        answer(
          Effect.gen(function* () {
            const { user } = yield* Viewer
            const viewer = Option.getOrUndefined(Option.map(user, ({ accountId }) => accountId))
            const text = yield* lists.status(viewer, { accounts: query.accounts ?? [], hosts: query.hosts ?? [] })
            return jsonText(text, noStore)
          })
        ),
      getMyBlockedAccounts: ({ query }) =>
        answer(
          Effect.flatMap(CurrentUser, ({ accountId }) =>
            Effect.map(lists.accounts(accountId, toListPage(query)), (text) => jsonText(text, noStore))
          )
        ),
      blockAccount: ({ payload }) =>
        answer(
          Effect.flatMap(CurrentUser, ({ accountId }) =>
            Effect.asVoid(blocks.blockAccount(accountId, payload.accountName))
          )
        ),
      unblockAccount: ({ params }) =>
        answer(
          Effect.flatMap(CurrentUser, ({ accountId }) =>
            Effect.asVoid(blocks.unblockAccount(accountId, params.accountName))
          )
        ),
      getMyBlockedServers: ({ query }) =>
        answer(
          Effect.flatMap(CurrentUser, ({ accountId }) =>
            Effect.map(lists.servers(accountId, toListPage(query)), (text) => jsonText(text, noStore))
          )
        ),
      blockServer: ({ payload }) =>
        answer(
          Effect.flatMap(CurrentUser, ({ accountId }) => Effect.asVoid(blocks.blockServer(accountId, payload.host)))
        ),
      unblockServer: ({ params }) =>
        answer(
          Effect.flatMap(CurrentUser, ({ accountId }) => Effect.asVoid(blocks.unblockServer(accountId, params.host)))
        )
    } satisfies Answers<"myBlocklist">)
  })
)
