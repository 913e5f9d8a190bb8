import { UserNotFound } from "@kinora/domain/errors/ActorErrors"
import { UserImportNotFound } from "@kinora/domain/errors/ArchiveErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { labelled } from "@kinora/domain/enums/Labelled"
import { importSections, UserArchiveState, userArchiveStateLabels } from "@kinora/domain/enums/UserArchiveState"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { UserImport, UserImportResultSummary } from "@kinora/domain/wire/UserArchive"
import { LoginRows } from "@kinora/storage/people/session/LoginRows"
import { type ImportSummary, UserImportRows } from "@kinora/storage/archive/import/UserImportRows"
import { Context, Effect, Layer, Option } from "effect"
import { isRoot, mayOnUser } from "../../people/rights/UserRights.ts"

type NotAllowed = UserNotFound | Forbidden | DatabaseUnavailable

const none = { success: 0, duplicates: 0, errors: 0 }

const summaryOf = (summary: ImportSummary): UserImportResultSummary => ({
  stats: Object.fromEntries(
    importSections.map((section) => [section, summary[section] ?? none])
  ) as UserImportResultSummary["stats"]
})

/** A user's imports as the user sees them, and who may act for the user. */
export class UserImportReads extends Context.Service<
  UserImportReads,
  {
    /** Whether this user may import an archive into that account. */
    readonly decide: (asker: CurrentUserShape, userId: number) => Effect.Effect<void, NotAllowed>
    readonly latest: (
      asker: CurrentUserShape,
      userId: number
    ) => Effect.Effect<UserImport, NotAllowed | UserImportNotFound>
  }
>()("@kinora/node/userimports/UserImportReads") {
  static readonly layer = Layer.effect(
    UserImportReads,
    Effect.gen(function* () {
      const logins = yield* LoginRows
      const rows = yield* UserImportRows

      const decide = Effect.fnUntraced(function* (asker: CurrentUserShape, userId: number) {
        const facts = yield* logins.facts(userId)
        if (Option.isNone(facts)) return yield* new UserNotFound()
        if (mayOnUser(asker, "imports", { ...facts.value, isRoot: isRoot(facts.value) })) return
        return yield* new Forbidden({ reason: "This account belongs to another user" })
      })

      const latest = Effect.fn("UserImportReads.latest")(function* (asker: CurrentUserShape, userId: number) {
        yield* decide(asker, userId)
        const found = yield* rows.latest(userId)
        if (Option.isNone(found)) return yield* new UserImportNotFound()
        const { createdAt, error, id, state, summary } = found.value
        return {
          id,
          state: labelled(state, userArchiveStateLabels),
          createdAt,
          resultSummary: summaryOf(summary),
          ...(error === null || state !== UserArchiveState.errored ? {} : { error })
        } satisfies UserImport
      })

      return UserImportReads.of({ decide, latest })
    })
  )
}
