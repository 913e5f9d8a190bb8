import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { AbuseFacts } from "@kinora/storage/social/abuse/AbuseRows"
import type { AbuseMessageFacts } from "@kinora/storage/social/abuse/AbuseMessageRows"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"

/** What a moderator did with a report. */
export type ModeratorAct = { readonly abuseId: number } & (
  | {
      readonly action: "update"
      readonly before: Pick<AbuseFacts, "state" | "moderationComment">
      readonly after: Pick<AbuseFacts, "state" | "moderationComment">
    }
  | { readonly action: "delete"; readonly before: AbuseFacts }
  | { readonly action: "message"; readonly messageId: number }
  | { readonly action: "delete-message"; readonly before: AbuseMessageFacts }
)

/** The one place where acts of moderators on reports are recorded, in the transaction that does them. */
export class ModeratorActs extends Context.Service<
  ModeratorActs,
  {
    readonly record: (user: CurrentUserShape, act: ModeratorAct) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/social/abuse/ModeratorActs") {
  static readonly layer = Layer.effect(
    ModeratorActs,
    Effect.map(AuditTrail, (audit) =>
      ModeratorActs.of({
        record: (user, act) =>
          audit.record(user, {
            domain: "abuse",
            action: act.action,
            target: { abuseId: act.abuseId, ...(act.action === "message" ? { messageId: act.messageId } : {}) },
            ...(act.action === "message" ? {} : { before: { ...act.before } }),
            ...(act.action === "update" ? { after: { ...act.after } } : {})
          })
      })
    )
  )
}
