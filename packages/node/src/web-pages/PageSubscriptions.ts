import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Context, type Effect, type Option } from "effect"

/** The origin of a page request, as sessions record it. */
export interface AskedFrom {
  readonly userAgent: string | undefined
  readonly address: string | undefined
}

/** Videos from the channels that a user follows, for their page. */
export class PageSubscriptions extends Context.Service<
  PageSubscriptions,
  {
    /** The newest videos for the user of an access token. None if the token is invalid. */
    readonly list: (
      token: string,
      page: { readonly start: number; readonly count: number },
      from: AskedFrom
    ) => Effect.Effect<Option.Option<VideoList>, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageSubscriptions") {}
