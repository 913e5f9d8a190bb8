import { PictureTokens } from "@kinora/storage/video/read/PictureLinks"
import { Effect, Layer, Option } from "effect"
import { FileTokenSigner } from "./FileTokenSigner.ts"

/** Tokens with which lists name pictures of videos that are not for everybody. */
export const pictureTokens = Layer.effect(
  PictureTokens,
  Effect.map(FileTokenSigner, ({ picturesExpire, sign }) => ({
    of: (user) =>
      Effect.map(picturesExpire, (expires) => (uuid: string) => sign(uuid, { user: Option.some(user) }, expires))
  }))
).pipe(Layer.provide(FileTokenSigner.layer))
