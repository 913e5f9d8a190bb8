import type { messages as english } from "../en/outcome.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  offline: "Le serveur est injoignable. Êtes-vous connecté ? Veuillez réessayer.",
  tooOften: "C’était trop souvent. Veuillez attendre quelques minutes et réessayer.",
  busy: "Le serveur est occupé. Veuillez réessayer dans un instant.",
  failed: "Cela n’a pas fonctionné."
} satisfies Translation<typeof english>
