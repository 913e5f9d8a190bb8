import type { AccountNotFound } from "@kinora/domain/errors/ActorErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoChannel } from "@kinora/domain/wire/VideoChannel"
import { type AccountChannels, ChannelLists, type ChannelPage } from "@kinora/storage/people/channel/ChannelLists"
import { Context, Effect, Layer, Option } from "effect"
import { type AccountAction, mayOnAccount } from "../account/AccountRights.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { mayLookUp } from "../rights/LookUpRight.ts"
import { KnownAccounts } from "../account/KnownAccounts.ts"

const defaultFigureDays = 30

/** What a request asks for beside the channels that the account owns. */
export interface AskedChannels {
  readonly includeCollaborations?: boolean | undefined
  readonly withStats?: boolean | undefined
  readonly statsDays?: AccountChannels["figures"]
}

/** Lists of channels whose content depends on who reads. */
export class ListedChannels extends Context.Service<
  ListedChannels,
  {
    /** Channels of an account. Everybody may ask for the list; what is not for the reader is left out of it. */
    readonly ofAccount: (
      handle: ActorHandle,
      reader: Option.Option<CurrentUserShape>,
      asked: AskedChannels,
      page: ChannelPage
    ) => Effect.Effect<JsonPage<VideoChannel>, AccountNotFound | DatabaseUnavailable>
  }
>()("@kinora/node/people/channel/ListedChannels") {
  static readonly layer = Layer.effect(
    ListedChannels,
    Effect.gen(function* () {
      const config = yield* KinoraConfig
      const accounts = yield* KnownAccounts
      const lists = yield* ChannelLists

      const ofAccount = Effect.fn("ListedChannels.ofAccount")(function* (
        handle: ActorHandle,
        reader: Option.Option<CurrentUserShape>,
        { includeCollaborations, statsDays = defaultFigureDays, withStats }: AskedChannels,
        page: ChannelPage
      ) {
        const accountId = yield* accounts.find(handle)
        const may = (action: AccountAction) => Option.isSome(reader) && mayOnAccount(reader.value, action, accountId)
        const which = {
          accountId,
          collaborations: includeCollaborations === true && may("collaborations"),
          figures: withStats === true && may("figures") ? statsDays : undefined,
          unfollowed: mayLookUp(config.search.remote_uri, reader)
        }
        return yield* lists.ofAccount(which, page)
      })

      return ListedChannels.of({ ofAccount })
    })
  )
}
