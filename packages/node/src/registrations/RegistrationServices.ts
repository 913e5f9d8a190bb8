import { RegistrationLists } from "@kinora/storage/registrations/RegistrationLists"
import { RegistrationRows } from "@kinora/storage/registrations/RegistrationRows"
import { SignupRows } from "@kinora/storage/registrations/SignupRows"
import { Layer } from "effect"
import { RegistrationDecisions } from "./RegistrationDecisions.ts"
import { Registrations } from "./Registrations.ts"
import { SignupPolicy } from "./SignupPolicy.ts"

/** Getting an account: needs users, passwords, mail and `EmailVerification`, over `SqlClient` and `KinoraConfig`. */
export const RegistrationServices = Layer.mergeAll(Registrations.layer, RegistrationDecisions.layer).pipe(
  Layer.provideMerge(SignupPolicy.layer),
  Layer.provideMerge(Layer.mergeAll(RegistrationLists.layer, RegistrationRows.layer, SignupRows.layer))
)
