import type { messages as english } from "../en/accountMenu.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  account: "Mon compte",
  goLive: "Passer en direct",
  upload: "Envoyer",
  videos: "Mes vidéos",
  subscriptions: "Abonnements",
  playlists: "Listes de lecture",
  history: "Historique",
  administration: "Administration",
  settings: "Réglages",
  logOut: "Se déconnecter"
} satisfies Translation<typeof english>
