import { type ImageDocument, imageMediaType } from "@kinora/federation/documents/ImageDocument"
import type { Picture } from "@kinora/storage/federation/activitypub/rows/Picture"

/** A picture, which is in this folder of `/lazy-static` unless it is another instance's. */
export const imageDocument = (
  { filename, height, remoteUrl, width }: Picture,
  folder: "avatars" | "banners" | "previews" | "thumbnails",
  origin: string
): ImageDocument => ({
  type: "Image",
  url: remoteUrl ?? `${origin}/lazy-static/${folder}/${filename}`,
  mediaType: imageMediaType(filename),
  width,
  height
})
