import type { messages as english } from "../en/cards.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  watchLater: "À regarder plus tard",
  notLater: "Retirer de « À regarder plus tard »",
  label: "{act} : {title}",
  failed: "Cela n’a pas fonctionné. Veuillez réessayer.",
  saved: "Ajoutée à « À regarder plus tard ».",
  removed: "Retirée de « À regarder plus tard »."
} satisfies Translation<typeof english>
