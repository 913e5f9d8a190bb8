import { RegistrationLists } from "@kinora/storage/people/registration/RegistrationLists"
import { RegistrationRows } from "@kinora/storage/people/registration/RegistrationRows"
import { SignupRows } from "@kinora/storage/people/registration/SignupRows"
import { Layer } from "effect"
import { RegistrationDecisions } from "./RegistrationDecisions.ts"
import { Registrations } from "./Registrations.ts"
import { SignupPolicy } from "./SignupPolicy.ts"

/** Registration: needs users, passwords, mail and `EmailVerification`, over `SqlClient` and `KinoraConfig`. */
export const RegistrationServices = Layer.mergeAll(Registrations.layer, RegistrationDecisions.layer).pipe(
  Layer.provideMerge(SignupPolicy.layer),
  Layer.provideMerge(Layer.mergeAll(RegistrationLists.layer, RegistrationRows.layer, SignupRows.layer))
)
