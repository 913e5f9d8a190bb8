import type { ActorImageType } from "@kinora/domain/enums/ImageSizes"

/** Name of the form field that holds the image. */
export const imageField = (type: ActorImageType): "avatarfile" | "bannerfile" =>
  type === "avatar" ? "avatarfile" : "bannerfile"
