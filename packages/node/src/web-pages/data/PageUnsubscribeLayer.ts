import { NotificationChoices } from "@kinora/storage/social/notification/NotificationChoices"
import { Effect, Layer, Option } from "effect"
import { PageUnsubscribe } from "../PageUnsubscribe.ts"
import { defaultNotifications } from "../../people/user/UserPreferences.ts"
import { UnsubscribeLinks } from "../../social/notification/UnsubscribeLinks.ts"

/** Ends mails of one kind for one user, by a sealed link. */
export const PageUnsubscribeLayer = Layer.effect(
  PageUnsubscribe,
  Effect.gen(function* () {
    const choices = yield* NotificationChoices
    const links = yield* UnsubscribeLinks
    return PageUnsubscribe.of({
      kind: (token) =>
        Effect.map(
          links.read(token),
          Option.map(({ setting }) => setting)
        ),
      end: Effect.fn("PageUnsubscribe.end")(function* (token: string) {
        const read = yield* links.read(token)
        if (Option.isNone(read)) return Option.none()
        const { setting, userId } = read.value
        // A user who was deleted gets no more mails anyway.
        yield* choices.endMails(userId, setting, defaultNotifications[setting] ?? 0)
        return Option.some(setting)
      })
    })
  })
)
