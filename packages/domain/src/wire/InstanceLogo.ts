import { Schema } from "effect"
import { logoTypes } from "../enums/LogoType.ts"

/** A logo of the instance, in `GET /config`. Without one of its own, the program's stands in. */
export const InstanceLogo = Schema.Struct({
  type: Schema.Literals(logoTypes),
  width: Schema.Int,
  height: Schema.Int,
  fileUrl: Schema.String,
  isFallback: Schema.Boolean
}).annotate({ identifier: "InstanceLogo" })
export type InstanceLogo = typeof InstanceLogo.Type
