import type { ActorImageType } from "@kinora/domain/enums/ImageSizes"

/** Name of the form's field that holds the picture. */
export const imageField = (type: ActorImageType): "avatarfile" | "bannerfile" =>
  type === "avatar" ? "avatarfile" : "bannerfile"
