import { ActorImageRows } from "@kinora/storage/people/actor/ActorImageRows"
import { TakenNames } from "@kinora/storage/people/registration/TakenNames"
import { UserImportRows } from "@kinora/storage/archive/import/UserImportRows"
import { MyImports } from "@kinora/storage/video/import/MyImports"
import { OneTimeTokens } from "@kinora/storage/people/user/OneTimeTokens"
import { Layer } from "effect"
import { ActorImages } from "../people/actor/ActorImages.ts"
import { ImageUpload } from "../people/actor/ImageUpload.ts"
import { ChannelServices } from "../people/channel/ChannelServices.ts"
import { CollaboratorServices } from "../people/collaborator/CollaboratorServices.ts"
import { InstanceImageRows } from "@kinora/storage/instance/appearance/InstanceImageRows"
import { Appearance } from "../instance/appearance/Appearance.ts"
import { DebugCommands } from "../instance/about/DebugCommands.ts"
import { Contact } from "../instance/contact/Contact.ts"
import { Mailer } from "../platform/mail/Mailer.ts"
import { MailingServices } from "../instance/mailing/MailingServices.ts"
import { WebhookServices } from "../instance/webhook/WebhookServices.ts"
import { MyUser } from "../people/me/MyUser.ts"
import { NotificationServices } from "../social/notification/NotificationServices.ts"
import { RegistrationServices } from "../people/registration/RegistrationServices.ts"
import { RunnerServices } from "../runner/RunnerServices.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import { SessionServices } from "./SessionServices.ts"
import { UserExportServices } from "../archive/export/UserExportServices.ts"
import { UserImportReads } from "../archive/import/UserImportReads.ts"
import { LinkServices, LinkUses } from "./LinkServices.ts"
import { NameAvailability } from "../people/user/NameAvailability.ts"
import { pictureTokens } from "../video/list/PictureTokenLayer.ts"
import { UserServices } from "../people/user/UserServices.ts"

/**
 * Everyone who uses the instance: sessions, users and what is sent to them. Needs `SqlClient`, `KinoraConfig`,
 * `Supervisor`, `InstanceSettings`, `JobBoard`, `RateLimitStore`, `Pictures`, the object store and the platform.
 */
export const PeopleServices = Layer.mergeAll(
  CollaboratorServices.pipe(Layer.provideMerge(ChannelServices)),
  Contact.layer,
  DebugCommands.layer,
  Appearance.layer.pipe(Layer.provide(InstanceImageRows.layer)),
  MyUser.layer,
  MyImports.layer,
  LinkUses,
  UserExportServices,
  UserImportReads.layer.pipe(Layer.provideMerge(UserImportRows.layer)),
  RunnerServices,
  MailingServices,
  WebhookServices
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
  Layer.provideMerge(NameAvailability.layer.pipe(Layer.provideMerge(TakenNames.layer))),
  Layer.provide(pictureTokens)
)
