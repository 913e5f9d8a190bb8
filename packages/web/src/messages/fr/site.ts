import type { messages as english } from "../en/site.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  myAccount: "Mon compte",
  partMissing: "Une partie de cette page ne s’est pas chargée. Veuillez la recharger.",
  showMore: "Afficher la suite",
  showLess: "Réduire",
  details: "Détails",
  share: "Partager",
  download: "Télécharger"
} satisfies Translation<typeof english>
