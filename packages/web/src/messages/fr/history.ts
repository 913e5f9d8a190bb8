import type { messages as english } from "../en/history.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Historique",
  lead: "Ce que vous avez regardé, le plus récent d’abord. Vous seul le voyez.",
  searchLabel: "Rechercher dans votre historique",
  remember: "Retenir ce que je regarde",
  remembering: "Ce que vous regardez est désormais retenu.",
  paused: "L’historique est en pause.",
  pausedText: "Ce que vous regardez n’y est pas ajouté.",
  clear: "Vider l’historique",
  clearAsk: "Vider tout l’historique ?",
  clearText: "Tout ce que vous avez regardé est oublié, et où vous vous êtes arrêté. C’est irréversible.",
  cleared: "L’historique est vide.",
  remove: "Retirer {name}",
  removed: "{name} est retiré de l’historique.",
  list: "Vidéos regardées",
  at: "arrêtée à {at} sur {length}",
  emptyTitle: "Rien ici pour l’instant",
  emptyText: "Les vidéos que vous regardez paraissent ici.",
  nothingTitle: "Aucun résultat",
  nothingText: "Vous n’avez regardé aucune vidéo qui corresponde à « {search} ».",
  browse: "Trouver une vidéo"
} satisfies Translation<typeof english>
