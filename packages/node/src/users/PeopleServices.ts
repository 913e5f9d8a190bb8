import { ActorImageRows } from "@kinora/storage/actors/ActorImageRows"
import { TakenNames } from "@kinora/storage/registrations/TakenNames"
import { UserImportRows } from "@kinora/storage/userimports/UserImportRows"
import { MyImports } from "@kinora/storage/users/MyImports"
import { OneTimeTokens } from "@kinora/storage/users/OneTimeTokens"
import { Layer } from "effect"
import { ActorImages } from "../actors/ActorImages.ts"
import { ImageUpload } from "../actors/ImageUpload.ts"
import { ChannelServices } from "../channels/ChannelServices.ts"
import { Contact } from "../contact/Contact.ts"
import { Mailer } from "../mail/Mailer.ts"
import { MyUser } from "../me/MyUser.ts"
import { NotificationServices } from "../notifications/NotificationServices.ts"
import { RegistrationServices } from "../registrations/RegistrationServices.ts"
import { RunnerServices } from "../runners/RunnerServices.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { SessionServices } from "../sessions/SessionServices.ts"
import { UserExportServices } from "../userexports/UserExportServices.ts"
import { UserImportReads } from "../userimports/UserImportReads.ts"
import { LinkServices, LinkUses } from "../verification/LinkServices.ts"
import { NameAvailability } from "./NameAvailability.ts"
import { UserServices } from "./UserServices.ts"

/**
 * Everyone who uses the instance: sessions, users and what is sent to them. Needs `SqlClient`, `KinoraConfig`,
 * `Supervisor`, `JobBoard`, `RateLimitStore`, `Pictures`, the object store and the platform.
 */
export const PeopleServices = Layer.mergeAll(
  ChannelServices,
  Contact.layer,
  MyUser.layer,
  MyImports.layer,
  LinkUses,
  UserExportServices,
  UserImportReads.layer.pipe(Layer.provideMerge(UserImportRows.layer)),
  RunnerServices
).pipe(
  Layer.provideMerge(Layer.merge(UserServices, RegistrationServices)),
  Layer.provideMerge(SessionServices),
  Layer.provideMerge(LinkServices),
  Layer.provideMerge(NotificationServices),
  Layer.provideMerge(Mailer.layer),
  Layer.provideMerge(Layer.mergeAll(SecretBox.layer, OneTimeTokens.layer)),
  Layer.provideMerge(
    ActorImages.layer.pipe(Layer.provideMerge(Layer.mergeAll(ActorImageRows.layer, ImageUpload.layer)))
  ),
  Layer.provideMerge(NameAvailability.layer.pipe(Layer.provideMerge(TakenNames.layer)))
)
