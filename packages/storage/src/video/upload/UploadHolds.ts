import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/Database.ts"

/** How another request holds an upload. */
export interface UploadHolding {
  /** When the hold ends unless it is renewed. */
  readonly until: Date
  readonly isFinishing: boolean
}

/** The answer to a wish to hold an upload. `gone`: there is no such upload. */
export type HoldAnswer = "held" | "gone" | UploadHolding

/** Which request of which node writes to an upload: one at a time. */
export class UploadHolds extends Context.Service<
  UploadHolds,
  {
    /** Holds the upload under a token of the caller's, unless another hold has not ended. */
    readonly take: (
      id: string,
      token: string,
      time: Duration.Duration
    ) => Effect.Effect<HoldAnswer, DatabaseUnavailable>
    /** Holds it longer. False if another has taken it meanwhile, or if the upload is gone. */
    readonly renew: (
      id: string,
      token: string,
      time: Duration.Duration,
      isFinishing: boolean
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Idempotent; another's hold stays. */
    readonly release: (id: string, token: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/uploads/UploadHolds") {
  static readonly layer = Layer.effect(
    UploadHolds,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const take = Effect.fn("UploadHolds.take")(function* (id: string, token: string, time: Duration.Duration) {
        const taken = yield* sql`
          update upload_session set held_by = ${token}::uuid, is_finishing = false,
            held_until = now() + make_interval(secs => ${Duration.toSeconds(time)}::float8)
          where id = ${id} and (held_until is null or held_until <= now() or held_by = ${token}::uuid) returning id`
        if (taken.length > 0) return "held" as const
        const [held] = yield* sql<UploadHolding>`
          select coalesce(held_until, now()) as until, is_finishing as "isFinishing" from upload_session where id = ${id}`
        return held ?? ("gone" as const)
      }, withDatabaseErrors)

      const renew = Effect.fn("UploadHolds.renew")(function* (
        id: string,
        token: string,
        time: Duration.Duration,
        isFinishing: boolean
      ) {
        const renewed = yield* sql`
          update upload_session set is_finishing = ${isFinishing},
            held_until = now() + make_interval(secs => ${Duration.toSeconds(time)}::float8)
          where id = ${id} and held_by = ${token}::uuid returning id`
        return renewed.length > 0
      }, withDatabaseErrors)

      const release = Effect.fn("UploadHolds.release")(function* (id: string, token: string) {
        yield* sql`
          update upload_session set held_by = null, held_until = null, is_finishing = false
          where id = ${id} and held_by = ${token}::uuid`
      }, withDatabaseErrors)

      return UploadHolds.of({ take, renew, release })
    })
  )
}
