import type { NotificationSettingKey } from "@kinora/domain/enums/NotificationSetting"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, type Effect, type Option } from "effect"

/** Unsubscribe links in mails. */
export class PageUnsubscribe extends Context.Service<
  PageUnsubscribe,
  {
    /** The setting of the mails of a link. None if it is not our link. Changes nothing. */
    readonly kind: (token: string) => Effect.Effect<Option.Option<NotificationSettingKey>>
    /** Unsubscribes. Returns the same as `kind`. */
    readonly end: (token: string) => Effect.Effect<Option.Option<NotificationSettingKey>, DatabaseUnavailable>
  }
>()("@kinora/node/pages/PageUnsubscribe") {}
