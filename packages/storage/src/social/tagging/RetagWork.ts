import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeInstanceAccount } from "../../people/account/InstanceAccount.ts"
import { areOthersSettled, momentOf, type Retagging } from "../../people/tags/RuleChanges.ts"
import { videoTags } from "../../people/tags/VideoTags.ts"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"
import { commentRetags, type RetagPosition } from "../comment/CommentRetags.ts"

/** What is matched again in one transaction: it holds the locks of its videos. */
const atOnce = { comments: 500, videos: 100 }

/** The steps by which what was said and published is matched again, as their worker takes them. */
export class RetagWork extends Context.Service<
  RetagWork,
  {
    /** The time of the database. */
    readonly moment: Effect.Effect<string, DatabaseUnavailable>
    /** Whether nothing is being written any more that began before the moment. */
    readonly isSettled: (moment: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Where to go on; undefined: done; "outdated": the words are others by now, and another job matches by these. */
    readonly comments: (
      retagging: Retagging,
      from: RetagPosition
    ) => Effect.Effect<RetagPosition | "outdated" | undefined, DatabaseUnavailable>
    /** The last video that was matched; undefined: there are no more, or the rules are none of the instance's. */
    readonly videos: (retagging: Retagging, after: number) => Effect.Effect<number | undefined, DatabaseUnavailable>
  }
>()("@kinora/storage/social/tagging/RetagWork") {
  static readonly layer = Layer.effect(
    RetagWork,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { retag } = videoTags(sql)
      const { step } = commentRetags(sql)
      const instance = makeInstanceAccount(sql)

      return RetagWork.of({
        moment: withDatabaseErrors(momentOf(sql)),
        isSettled: (moment) => withDatabaseErrors(areOthersSettled(sql, moment)),
        comments: (retagging, from) => withDatabaseErrors(sql.withTransaction(step(retagging, from, atOnce.comments))),
        videos: Effect.fnUntraced(
          function* ({ accountId, version }, after) {
            if ((yield* instance) !== accountId) return undefined
            return yield* retag(version, after, atOnce.videos)
          },
          sql.withTransaction,
          withDatabaseErrors
        )
      })
    })
  )
}
