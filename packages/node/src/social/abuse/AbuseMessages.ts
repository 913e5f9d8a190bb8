import { constraints } from "@kinora/domain/enums/Constraints"
import { AbuseMessageNotFound, AbuseMessageRefused, AbuseNotFound } from "@kinora/domain/errors/AbuseErrors"
import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { RateLimited } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { AbuseMessages as MessageList } from "@kinora/domain/wire/Abuse"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { AbuseMessageLists } from "@kinora/storage/social/abuse/AbuseMessageLists"
import { AbuseMessageRows } from "@kinora/storage/social/abuse/AbuseMessageRows"
import { type AbuseFacts, AbuseRows } from "@kinora/storage/social/abuse/AbuseRows"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeUserPace } from "../../people/user/UserPace.ts"
import { isReporter, mayDeleteMessage, mayTalk } from "./AbuseRights.ts"
import { ModeratorActs } from "./ModeratorActs.ts"

const { max: mostMessages } = constraints.abuse.messages

type Unknown = AbuseNotFound | DatabaseUnavailable

/** What the reporter and the moderators write to each other about a report. For others the report does not exist. */
export class AbuseMessages extends Context.Service<
  AbuseMessages,
  {
    readonly list: (user: CurrentUserShape, abuseId: number) => Effect.Effect<MessageList, Unknown>
    /** Answers the id of the message. Refused where nobody would read it, and of one who writes too much. */
    readonly write: (
      user: CurrentUserShape,
      abuseId: number,
      message: string
    ) => Effect.Effect<number, Unknown | AbuseMessageRefused | RateLimited>
    readonly remove: (
      user: CurrentUserShape,
      abuseId: number,
      messageId: number
    ) => Effect.Effect<void, Unknown | AbuseMessageNotFound | Forbidden>
  }
>()("@kinora/node/social/abuse/AbuseMessages") {
  static readonly layer = Layer.effect(
    AbuseMessages,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const abuses = yield* AbuseRows
      const rows = yield* AbuseMessageRows
      const lists = yield* AbuseMessageLists
      const events = yield* NotificationEvents
      const acts = yield* ModeratorActs
      const hold = yield* makeUserPace("abuse_message", (yield* KinoraConfig).rates_limit.abuse_message)

      const open = Effect.fnUntraced(function* (
        user: CurrentUserShape,
        found: Effect.Effect<Option.Option<AbuseFacts>, DatabaseUnavailable>
      ) {
        const abuse = yield* found
        return Option.isSome(abuse) && mayTalk(abuse.value, user) ? abuse.value : yield* new AbuseNotFound()
      })

      const add = Effect.fnUntraced(
        function* (user: CurrentUserShape, abuseId: number, message: string) {
          const abuse = yield* open(user, abuses.lock(abuseId))
          if (!abuse.reportedHere) {
            return yield* new AbuseMessageRefused({
              reason: "The reporter is not a user of this instance: they would not receive the message"
            })
          }
          if (abuse.messages >= mostMessages) {
            return yield* new AbuseMessageRefused({ reason: `A report has at most ${mostMessages} messages` })
          }
          const byModerator = !isReporter(abuse, user)
          const messageId = yield* rows.add({ abuseId, accountId: user.accountId, byModerator, message })
          yield* events.record({ _tag: "NewAbuseMessage", messageId })
          if (byModerator) yield* acts.record(user, { action: "message", abuseId, messageId })
          return messageId
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const remove = Effect.fn("AbuseMessages.remove")(
        function* (user: CurrentUserShape, abuseId: number, messageId: number) {
          const abuse = yield* open(user, abuses.lock(abuseId))
          const message = yield* rows.facts(abuseId, messageId)
          if (Option.isNone(message)) return yield* new AbuseMessageNotFound()
          if (!mayDeleteMessage(abuse, message.value, user)) {
            return yield* new Forbidden({ reason: "Only its author and moderators may delete a message" })
          }
          yield* rows.remove(messageId)
          if (message.value.accountId === user.accountId) return
          yield* acts.record(user, { action: "delete-message", abuseId, before: message.value })
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      return AbuseMessages.of({
        list: Effect.fn("AbuseMessages.list")(function* (user, abuseId) {
          yield* open(user, abuses.facts(abuseId))
          return yield* lists.of(abuseId)
        }),
        write: Effect.fn("AbuseMessages.write")((user, abuseId, message) => hold(user, add(user, abuseId, message))),
        remove
      })
    })
  )
}
