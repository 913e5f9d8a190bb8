import { Api } from "@kinora/domain/api/Api"
import { toListPage } from "@kinora/domain/requests/ActorListQueries"
import { BlockLists } from "@kinora/storage/people/block/BlockLists"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer, type Answers, jsonText } from "../../platform/http/Answer.ts"
import { Blocks } from "./Blocks.ts"

/** What this instance mutes for everybody. */
export const layer = HttpApiBuilder.group(
  Api,
  "serverBlocklist",
  Effect.fnUntraced(function* (handlers) {
    const blocks = yield* Blocks
    const lists = yield* BlockLists

    return handlers.handleAll({
      getServerBlocklistAccounts: ({ query }) =>
        answer(Effect.map(lists.accounts("instance", toListPage(query)), (text) => jsonText(text))),
      postServerBlocklistAccounts: ({ payload }) => answer(blocks.blockAccount("instance", payload.accountName)),
      deleteServerBlocklistAccountsByAccountName: ({ params }) =>
        answer(blocks.unblockAccount("instance", params.accountName)),
      getServerBlocklistServers: ({ query }) =>
        answer(Effect.map(lists.servers("instance", toListPage(query)), (text) => jsonText(text))),
      postServerBlocklistServers: ({ payload }) => answer(blocks.blockServer("instance", payload.host)),
      deleteServerBlocklistServersByHost: ({ params }) => answer(blocks.unblockServer("instance", params.host))
    } satisfies Answers<"serverBlocklist">)
  })
)
