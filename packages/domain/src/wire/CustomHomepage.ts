import { Schema } from "effect"

/** The instance's own homepage (contract: CustomHomepage). */
export const CustomHomepage = Schema.Struct({ content: Schema.String }).annotate({ identifier: "CustomHomepage" })
export type CustomHomepage = typeof CustomHomepage.Type
