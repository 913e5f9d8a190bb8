import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoChangeRefused, VideoNotFound, VideoPasswordNotFound } from "@kinora/domain/errors/VideoErrors"
import type { toPasswordPage } from "@kinora/domain/requests/PasswordRequests"
import type { JsonPage } from "@kinora/domain/wire/Json"
import type { VideoPassword } from "@kinora/domain/wire/VideoAnswers"
import { type PasswordChange, VideoPasswords } from "@kinora/storage/video/password/VideoPasswords"
import { Context, Effect, Layer } from "effect"
import type { Editable } from "../edit/EditableVideos.ts"
import { VideoActs } from "../list/VideoActs.ts"

type Changed = Effect.Effect<void, VideoNotFound | VideoChangeRefused | VideoPasswordNotFound | DatabaseUnavailable>

const notProtected = new VideoChangeRefused({ reason: "This video is not protected by a password" })

const settle = Effect.fnUntraced(function* (change: Effect.Effect<PasswordChange, DatabaseUnavailable>) {
  switch (yield* change) {
    case "done":
      return
    case "gone":
      return yield* new VideoNotFound()
    case "open":
      return yield* notProtected
    case "full":
      return yield* new VideoChangeRefused({
        reason: `A video has at most ${constraints.video.passwords.max} passwords`
      })
    case "unknown":
      return yield* new VideoPasswordNotFound()
    case "last":
      return yield* new VideoChangeRefused({ reason: "The last password of a protected video stays" })
  }
})

/** The passwords of protected videos, for users who may edit the video. */
export class PasswordProtection extends Context.Service<
  PasswordProtection,
  {
    /** `{"total":…,"data":[…]}` as JSON text (contract: VideoPasswordList). */
    readonly list: (
      editable: Editable,
      page: ReturnType<typeof toPasswordPage>
    ) => Effect.Effect<JsonPage<VideoPassword>, VideoChangeRefused | DatabaseUnavailable>
    readonly add: (editable: Editable, password: string) => Changed
    /** Sets all passwords: at least one. */
    readonly replace: (editable: Editable, passwords: ReadonlyArray<string>) => Changed
    /** The last one stays. */
    readonly remove: (editable: Editable, passwordId: number) => Changed
  }
>()("@kinora/node/video/password/PasswordProtection") {
  static readonly layer = Layer.effect(
    PasswordProtection,
    Effect.gen(function* () {
      const passwords = yield* VideoPasswords
      const acts = yield* VideoActs
      const change = (editable: Editable, work: Effect.Effect<PasswordChange, DatabaseUnavailable>) =>
        settle(acts.change(editable, { action: "set-passwords" })(work))
      return PasswordProtection.of({
        list: Effect.fn("PasswordProtection.list")(function* ({ video }, page) {
          if (video.privacy !== VideoPrivacy.passwordProtected) return yield* notProtected
          return yield* passwords.list(video.id, page)
        }),
        add: (editable, password) =>
          change(editable, passwords.add(editable.video.id, editable.user.accountId, password)),
        replace: (editable, all) =>
          change(editable, passwords.replace(editable.video.id, editable.user.accountId, all)),
        remove: (editable, passwordId) =>
          change(editable, passwords.remove(editable.video.id, editable.user.accountId, passwordId))
      })
    })
  )
}
