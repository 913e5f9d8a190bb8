import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { makeUserPace, type UserPace } from "../../people/user/UserPace.ts"

/** How many comments a user may write in a while (`rates_limit.create_comment`). */
export class CommentPace extends Context.Service<CommentPace, { readonly hold: UserPace }>()(
  "@kinora/node/comments/CommentPace"
) {
  static readonly layer = Layer.effect(
    CommentPace,
    Effect.gen(function* () {
      const { create_comment } = (yield* KinoraConfig).rates_limit
      return CommentPace.of({ hold: yield* makeUserPace("create_comment", create_comment) })
    })
  )
}
