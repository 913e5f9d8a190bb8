import { Schema } from "effect"

const mediaTypes = {
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif"
} as const

export const ImageMediaType = Schema.Literals(["image/jpeg", ...Object.values(mediaTypes)])

/** The media type that the extension of a file name stands for; JPEG when it is none of the others. */
export const imageMediaType = (filename: string): typeof ImageMediaType.Type => {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase()
  switch (extension) {
    case "png":
    case "webp":
    case "gif":
    case "avif":
      return mediaTypes[extension]
    default:
      return "image/jpeg"
  }
}

/** A picture (contract: ActivityIconObject). Sizes are in pixels. */
export const ImageDocument = Schema.Struct({
  type: Schema.Literal("Image"),
  url: Schema.String,
  mediaType: ImageMediaType,
  width: Schema.Int,
  height: Schema.Int
})
export type ImageDocument = typeof ImageDocument.Type
