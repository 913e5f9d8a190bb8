import type { messages as english } from "../en/upNext.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  cancel: "Annuler",
  playNow: "Lire maintenant",
  upNext: "À suivre"
} satisfies Translation<typeof english>
