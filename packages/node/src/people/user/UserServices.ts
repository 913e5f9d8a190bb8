import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import { AuditedUsers } from "@kinora/storage/people/user/AuditedUsers"
import { UserChanges } from "@kinora/storage/people/user/UserChanges"
import { UserReads } from "@kinora/storage/people/user/UserReads"
import { UserRemoval } from "@kinora/storage/video/removal/UserRemoval"
import { Layer } from "effect"
import { BulkUsers } from "./BulkUsers.ts"
import { UserAdministration } from "./UserAdministration.ts"
import { UserCreation } from "./UserCreation.ts"
import { UserDeletion } from "./UserDeletion.ts"
import { UserNotes } from "../note/UserNotes.ts"
import { UserPasswords } from "./UserPasswords.ts"

/** Operations on users, over sessions, links, mail and names. */
export const UserServices = Layer.mergeAll(
  BulkUsers.layer.pipe(Layer.provideMerge(UserAdministration.layer)),
  UserCreation.layer,
  UserNotes.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(UserPasswords.layer, UserDeletion.layer)),
  Layer.provideMerge(
    Layer.mergeAll(AuditedUsers.layer, UserChanges.layer, UserReads.layer, UserRemoval.layer, SignupRows.layer)
  )
)
