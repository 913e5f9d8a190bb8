import { CurrentUser, type CurrentUserShape, Viewer } from "@kinora/domain/users/CurrentUser"
import { Context, Effect, Option } from "effect"

/** Makes the token that opens the pictures of a video, by its UUID, to who asks. */
export type PictureToken = (uuid: string) => string

/** Where tokens for pictures come from; undefined: addresses stay as they are. */
export const PictureTokens = Context.Reference<
  { readonly of: (user: CurrentUserShape) => Effect.Effect<PictureToken> } | undefined
>("@kinora/storage/videos/reads/PictureTokens", { defaultValue: () => undefined })

/** Who sends the request that is being answered. */
const asking: Effect.Effect<Option.Option<CurrentUserShape>> = Effect.gen(function* () {
  const user = yield* Effect.serviceOption(CurrentUser)
  if (Option.isSome(user)) return user
  return Option.flatMap(yield* Effect.serviceOption(Viewer), (viewer) => viewer.user)
})

/** Members that name such a file. Quotes inside of texts are escaped, so no text looks like one. */
const members = "thumbnailPath|previewPath|storyboardPath|captionPath|fileUrl"
const folders = "thumbnails|previews|storyboards|video-captions"
const address = new RegExp(`"(${members})":"((?:https?://[^"\\\\/]+)?/lazy-static/(?:${folders})/[^"\\\\?]+)"`, "g")

/** Pictures, storyboards and captions in the JSON text of one video, with a token in their addresses. */
export const withPictureToken = (text: string, token: string): string =>
  text.replaceAll(address, `"$1":"$2?videoFileToken=${token}"`)

/**
 * Opens pictures of videos that are not for everybody to who reads of them: `<img>` and `<track>` send no token of their
 * own. Made once for an answer.
 */
export const pictureLinks = (tokens: Context.Service.Shape<typeof PictureTokens>) =>
  Effect.gen(function* () {
    const user = tokens === undefined ? Option.none() : yield* asking
    if (tokens === undefined || Option.isNone(user)) return (text: string) => text
    const token = yield* tokens.of(user.value)
    return (text: string, uuid: string) => withPictureToken(text, token(uuid))
  })
