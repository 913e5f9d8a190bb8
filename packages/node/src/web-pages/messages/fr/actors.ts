import type { Translation } from "@kinora/domain/i18n/Translation"
import type { messages as english } from "../en/actors.ts"

export const messages = {
  videos: "Vidéos",
  channels: "Chaînes",
  playlists: "Listes de lecture",
  about: "À propos",
  tabs: "{kind, select, account {De ce compte} other {De cette chaîne}}",
  noVideos: "Aucune vidéo publique ici pour le moment.",
  noChannels: "Aucune chaîne ici pour le moment.",
  noPlaylists: "Aucune liste de lecture publique ici pour le moment.",
  noDescription: "Il n’y a pas de description.",
  support: "Soutien",
  details: "Détails",
  address: "Adresse",
  owner: "Propriétaire",
  since: "Depuis",
  contact: "Contact",
  home: "Instance d’origine",
  feed: "Flux",
  commentsBy: "Commentaires de {name}",
  commentsOn: "Commentaires sur {name}",
  podcast: "{name} (podcast)"
} satisfies Translation<typeof english>
