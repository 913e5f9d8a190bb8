import type { ServerConfigAbout } from "@kinora/domain/wire/ServerConfigAbout"
import type { Configuration } from "../../platform/config/Configuration.ts"

/** `GET /api/v1/config/about`, from the configuration alone. */
export const aboutWire = ({ instance }: Configuration): ServerConfigAbout => ({
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
    avatars: [],
    banners: []
  }
})
