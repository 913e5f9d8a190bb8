import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, type Effect, type Option } from "effect"

/** Unsubscribe links in mails. */
export class PageUnsubscribe extends Context.Service<
  PageUnsubscribe,
  {
    /** What the mails of a link are about, as text. None if it is not our link. Changes nothing. */
    readonly kind: (token: string) => Effect.Effect<Option.Option<string>>
    /** Unsubscribes. Returns the same as `kind`. */
    readonly end: (token: string) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageUnsubscribe") {}
