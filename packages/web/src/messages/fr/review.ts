import type { messages as english } from "../en/review.ts"
import type { Translation } from "../Translation.ts"

export const messages = {
  title: "Commentaires",
  lead: "Ce qui est écrit sous vos vidéos.",
  searchLabel: "Rechercher dans les commentaires",
  which: "Quels commentaires",
  all: "Tous",
  held: "En attente d’accord",
  author: "Auteur et commentaire",
  video: "Vidéo",
  date: "Date",
  acts: "Actions",
  waiting: "Attend votre accord",
  approve: "Accepter",
  delete: "Supprimer",
  open: "Ouvrir sous la vidéo",
  deleteAllOf: "Supprimer tous les commentaires de ce compte",
  mute: "Masquer ce compte",
  approved: "{count, plural, one {# commentaire accepté.} other {# commentaires acceptés.}}",
  deleted: "{count, plural, one {# commentaire supprimé.} other {# commentaires supprimés.}}",
  someFailed:
    "{count, plural, one {# commentaire est resté tel quel} other {# commentaires sont restés tels quels}} : {reason}",
  deleteAsk: "{count, plural, one {Supprimer ce commentaire ?} other {Supprimer # commentaires ?}}",
  deleteText: "Les réponses restent. C’est irréversible.",
  deleteAllAsk: "Supprimer tous les commentaires de {name} sous vos vidéos ?",
  deleteAllText: "C’est irréversible.",
  deletedAll: "Les commentaires de {name} sont en cours de suppression.",
  muted: "{name} est masqué.",
  commentOf: "commentaire de {name}",
  emptyTitle: "Pas de commentaire",
  emptyText: "Les commentaires sous vos vidéos paraissent ici.",
  nothingWaits: "Aucun commentaire n’attend votre accord.",
  nothingFound: "Aucun commentaire ne correspond à « {search} »."
} satisfies Translation<typeof english>
