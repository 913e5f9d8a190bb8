import type { ActorImageType } from "@kinora/domain/enums/ImageSizes"

/** What an uploaded image is for. */
export type UploadedImage = ActorImageType | "logo"

/** Name of the form field that holds the image. */
export const imageField = (image: UploadedImage): "avatarfile" | "bannerfile" | "logofile" => `${image}file`
