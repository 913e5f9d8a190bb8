import { type Json, jsonOf } from "@kinora/domain/wire/Json"
import { withPictureToken } from "@kinora/storage/video/read/PictureLinks"

/**
 * The answer about a video that is not for everybody, with addresses of pictures, storyboards and captions that open to who
 * reads it: `<img>` and `<track>` send no token of their own.
 */
export const withPictures = <A>(text: Json<A>, token: string | undefined): Json<A> =>
  token === undefined ? text : jsonOf(withPictureToken(text, token))
