import type { messages as english } from "../en/dialogs.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  close: "Fermer",
  copied: "Copié",
  notCopied: "Non copié",
  share: "Partager",
  link: "Lien",
  copy: "Copier",
  startAt: "Commencer à",
  startTime: "Moment du début",
  qr: "Code QR du lien",
  embedCode: "Code d’intégration",
  copyEmbed: "Copier le code d’intégration",
  autoplay: "Lire aussitôt",
  repeat: "Répéter",
  responsive: "Aussi large que son emplacement",
  shareWith: "Partager avec…",
  embed: "Intégrer",
  download: "Télécharger",
  noFile: "Il n’y a pas encore de fichier à télécharger.",
  subtitles: "Sous-titres",
  soundAlone: "Son seul",
  report: "Signaler",
  whatIsWrong: "Ce qui ne va pas",
  moment: "Moment de la vidéo",
  at: "À {time}",
  forModerators: "Ce que la modération doit savoir",
  reported: "Merci. La modération de cette instance va l’examiner.",
  reason:
    "{reason, select, violentOrRepulsive {Violent ou repoussant} hatefulOrAbusive {Haineux ou injurieux} spamOrMisleading {Spam ou trompeur} privacy {Atteinte à la vie privée} rights {Atteinte à des droits} serverRules {Contraire aux règles de cette instance} thumbnails {Sa vignette} captions {Ses sous-titres} other {Autre}}"
} satisfies Translation<typeof english>
