import type { ServerConfigAbout } from "@kinora/domain/wire/ServerConfigAbout"
import type { ShownImages } from "../appearance/Appearance.ts"
import type { Configuration } from "../../platform/config/Configuration.ts"

/** `GET /api/v1/config/about`. */
export const aboutWire = (
  { instance }: Configuration,
  images: Pick<ShownImages, "avatars" | "banners">
): ServerConfigAbout => ({
  instance: {
    name: instance.name,
    shortDescription: instance.short_description,
    description: instance.description,
    terms: instance.terms,
    codeOfConduct: instance.code_of_conduct,
    hardwareInformation: instance.hardware_information,
    creationReason: instance.creation_reason,
    moderationInformation: instance.moderation_information,
    administrator: instance.administrator,
    maintenanceLifetime: instance.maintenance_lifetime,
    businessModel: instance.business_model,
    languages: instance.languages ?? [],
    categories: instance.categories ?? [],
    avatars: images.avatars,
    banners: images.banners
  }
})
