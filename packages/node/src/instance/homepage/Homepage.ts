import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { HomepageRows } from "@kinora/storage/instance/homepage/HomepageRows"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { isRecent } from "../../platform/memory/Recent.ts"

/** Milliseconds to remember whether there is a homepage, since another node may write it. */
const lifetime = 10_000

/** The instance's own homepage. */
export class Homepage extends Context.Service<
  Homepage,
  {
    readonly content: Effect.Effect<Option.Option<string>, DatabaseUnavailable>
    /** Writes it. It cannot be removed. */
    readonly write: (user: CurrentUserShape, content: string) => Effect.Effect<void, DatabaseUnavailable>
    /** Whether there is one. Other nodes notice a change within ten seconds. */
    readonly isThere: Effect.Effect<boolean>
  }
>()("@kinora/node/homepage/Homepage") {
  static readonly layer = Layer.effect(
    Homepage,
    Effect.gen(function* () {
      const rows = yield* HomepageRows
      const audit = yield* AuditTrail
      let known = { value: false, until: 0 }

      const note = (value: boolean) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          known = { value, until: now + lifetime }
          return value
        })

      const write = Effect.fn("Homepage.write")(function* (user: CurrentUserShape, content: string) {
        const isEmpty = content.trim() === ""
        const values = Effect.map(rows.content, (text) => ({ content: Option.getOrNull(text) }))
        const around = audit.around(user, { domain: "homepage", action: "update", values })
        yield* around(rows.write(isEmpty ? null : content))
        yield* note(!isEmpty)
      })

      const isThere = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        isRecent(known.until, now, lifetime)
          ? Effect.succeed(known.value)
          : rows.content.pipe(
              Effect.flatMap((content) => note(Option.isSome(content))),
              // While the database is unavailable, the last known value is used.
              Effect.catch(() => Effect.succeed(known.value))
            )
      )

      return Homepage.of({ content: rows.content, write, isThere })
    })
  )
}
