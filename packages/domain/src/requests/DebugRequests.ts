import { Schema } from "effect"
import { debugCommands } from "../enums/DebugCommand.ts"
import { field, optional } from "../fields/Field.ts"
import { nullable, oneOf } from "../fields/Readers.ts"
import { userFields } from "./UserFields.ts"

/** Body of `POST /server/debug/run-command`. */
export const DebugOrder = Schema.Struct({
  command: field(oneOf(debugCommands, `Must be one of ${debugCommands.join(", ")}`)),
  email: optional(nullable(userFields.email))
})
export type DebugOrder = typeof DebugOrder.Type
