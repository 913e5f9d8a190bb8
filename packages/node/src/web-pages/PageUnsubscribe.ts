import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, type Effect, type Option } from "effect"

/** Links in mails that end mails of their kind. */
export class PageUnsubscribe extends Context.Service<
  PageUnsubscribe,
  {
    /** What the mails of a link are about, in words; none when it is no link of ours. Changes nothing. */
    readonly kind: (token: string) => Effect.Effect<Option.Option<string>>
    /** Ends them; answers like `kind`. */
    readonly end: (token: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageUnsubscribe") {}
