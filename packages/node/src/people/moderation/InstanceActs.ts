import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { Context, Effect, Layer } from "effect"
import { type AuditedResult, AuditTrail } from "../../platform/audit/AuditTrail.ts"

/** Does what people may do in their own name or in the instance's, which alone has an entry in the audit log. */
export class InstanceActs extends Context.Service<
  InstanceActs,
  {
    /** `by` undefined: somebody does it in their own name, which needs no entry. */
    readonly act: <A, E, R>(
      by: CurrentUserShape | undefined,
      entry: AuditedResult<A>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | DatabaseUnavailable, R>
  }
>()("@kinora/node/people/moderation/InstanceActs") {
  static readonly layer = Layer.effect(
    InstanceActs,
    Effect.map(AuditTrail, (audit) =>
      InstanceActs.of({ act: (by, entry, work) => (by === undefined ? work : audit.act(by, entry, work)) })
    )
  )
}
