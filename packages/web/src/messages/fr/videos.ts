import type { messages as english } from "../en/videos.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Mes vidéos",
  count: "{count, plural, =0 {Aucune vidéo} one {# vidéo} other {# vidéos}}",
  upload: "Mettre en ligne",
  goLive: "Passer en direct",
  controlRoom: "Régie",
  liveOn: "EN DIRECT",
  liveWaiting: "Attend de commencer",
  liveEnded: "Direct terminé",
  searchLabel: "Rechercher dans mes vidéos",
  emptyTitle: "Pas encore de vidéo",
  emptyText: "Ce que vous mettez en ligne paraît ici, avec son avancement.",
  nothingTitle: "Aucun résultat",
  nothingText: "Aucune de vos vidéos ne correspond à « {search} ».",
  video: "Vidéo",
  state: "État",
  date: "Date",
  views: "Vues",
  comments: "Commentaires",
  acts: "Actions",
  watch: "Regarder",
  edit: "Modifier",
  statistics: "Statistiques",
  delete: "Supprimer",
  retry: "Réessayer",
  changePrivacy: "Changer qui les voit",
  deleteTitle: "{count, plural, one {Supprimer cette vidéo ?} other {Supprimer # vidéos ?}}",
  deleteText:
    "{count, plural, one {« {name} », ses fichiers, ses commentaires et ses compteurs disparaîtront pour toujours.} other {Leurs fichiers, leurs commentaires et leurs compteurs disparaîtront pour toujours.}}",
  deleted: "{count, plural, one {# vidéo supprimée.} other {# vidéos supprimées.}}",
  changed: "{count, plural, one {# vidéo modifiée.} other {# vidéos modifiées.}}",
  someFailed:
    "{count, plural, one {# vidéo est restée telle quelle} other {# vidéos sont restées telles quelles}} : {reason}",
  waiting: "Attend son tour",
  processing: "En préparation, {part, number, percent}",
  processingOf: "Préparation de {name}",
  processingFailed: "La préparation a échoué",
  blocked: "Bloquée",
  scheduled: "Publique le {at}"
} satisfies Translation<typeof english>
