import type { messages as english } from "../en/processing.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  failed: "Des fichiers de cette vidéo n’ont pas pu être produits.",
  delayed: "Les fichiers de cette vidéo n’ont pas encore pu être produits. Le prochain essai commence le {when}.",
  delayedSoon: "Les fichiers de cette vidéo n’ont pas encore pu être produits. Le prochain essai commence bientôt.",
  reason: "La raison : {error}",
  tryAgain: "Réessayer maintenant",
  refused: "Vous n’avez pas le droit de faire cela.",
  again: "Les fichiers de cette vidéo sont produits à nouveau."
} satisfies Translation<typeof english>
