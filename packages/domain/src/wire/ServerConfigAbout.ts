import { Schema } from "effect"
import { ActorImage } from "./ActorImage.ts"

/** What the instance says of itself (contract: ServerConfigAbout). */
export const ServerConfigAbout = Schema.Struct({
  instance: Schema.Struct({
    name: Schema.String,
    shortDescription: Schema.String,
    description: Schema.String,
    terms: Schema.String,
    codeOfConduct: Schema.String,
    hardwareInformation: Schema.String,
    creationReason: Schema.String,
    moderationInformation: Schema.String,
    administrator: Schema.String,
    maintenanceLifetime: Schema.String,
    businessModel: Schema.String,
    languages: Schema.Array(Schema.String),
    categories: Schema.Array(Schema.Int),
    avatars: Schema.Array(ActorImage),
    banners: Schema.Array(ActorImage)
  })
}).annotate({ identifier: "ServerConfigAbout" })
export type ServerConfigAbout = typeof ServerConfigAbout.Type
