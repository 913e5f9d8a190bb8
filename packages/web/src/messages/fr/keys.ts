import type { messages as english } from "../en/keys.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Touches",
  close: "Fermer",
  search: "Rechercher",
  help: "Montrer les touches",
  h: "Dernières vidéos",
  t: "Tendances",
  b: "Parcourir",
  s: "Abonnements",
  l: "Listes de lecture",
  n: "Notifications",
  v: "Mes vidéos",
  u: "Téléverser",
  player: "À côté d’une vidéo, ? montre les touches du lecteur.",
  choice: "Les touches d’une lettre agissent sur les pages"
} satisfies Translation<typeof english>
