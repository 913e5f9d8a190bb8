import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoList } from "@kinora/domain/wire/Video"
import { Context, type Effect, type Option } from "effect"

/** Whence a page is asked for, as sessions note it. */
export interface AskedFrom {
  readonly userAgent: string | undefined
  readonly address: string | undefined
}

/** What comes from the channels somebody follows, for the page of it. */
export class PageSubscriptions extends Context.Service<
  PageSubscriptions,
  {
    /** The newest videos for whom an access token speaks; none when it speaks for nobody. */
    readonly list: (
      token: string,
      page: { readonly start: number; readonly count: number },
      from: AskedFrom
    ) => Effect.Effect<Option.Option<VideoList>, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageSubscriptions") {}
