import { type NotificationSettingKey, notificationSettingKeys } from "@kinora/domain/enums/NotificationSetting"
import { Context, Effect, Layer, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { SecretBox } from "../../platform/secrets/SecretBox.ts"

/** Whose mails of which kind a link ends. */
export interface Unsubscribed {
  readonly userId: number
  readonly setting: NotificationSettingKey
}

/** Where such links lead. */
const unsubscribePath = "/unsubscribe"

const longest = 300

/**
 * Links in mails that end mails of their kind, for whoever has the mail: sealed, so that nobody can make one, and good for
 * as long as the keys are (docs/secrets.md).
 */
export class UnsubscribeLinks extends Context.Service<
  UnsubscribeLinks,
  {
    readonly make: (of: Unsubscribed) => string
    /** None: it is none of our links, or has lost a part. */
    readonly read: (token: string) => Effect.Effect<Option.Option<Unsubscribed>>
  }
>()("@kinora/node/notifications/UnsubscribeLinks") {
  static readonly layer = Layer.effect(
    UnsubscribeLinks,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const secrets = yield* SecretBox
      return UnsubscribeLinks.of({
        make: ({ setting, userId }) => {
          const token = secrets.seal(`${userId} ${setting}`, "unsubscribe link")
          return `${derived.origin}${unsubscribePath}?${new URLSearchParams({ token })}`
        },
        read: (token) =>
          token.length > longest
            ? Effect.succeedNone
            : secrets.open(token, "unsubscribe link").pipe(
                Effect.map((text) => {
                  const [id, name] = text.split(" ")
                  const setting = notificationSettingKeys.find((key) => key === name)
                  return setting === undefined ? Option.none() : Option.some({ userId: Number(id), setting })
                }),
                Effect.catchTag("CannotOpen", () => Effect.succeedNone)
              )
      })
    })
  )
}
