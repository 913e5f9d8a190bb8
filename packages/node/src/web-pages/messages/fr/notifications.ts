import type { Translation } from "@kinora/domain/i18n/Translation"
import type { messages as english } from "../en/notifications.ts"

export const messages = {
  settings: "Réglages des notifications",
  kind: "Genre",
  web: "Pages",
  mail: "E-mail",
  onWeb: "{name} : sur les pages",
  byMail: "{name} : par e-mail",
  readAll: "Tout marquer comme lu",
  ofSubscriptions: "Vidéos de vos abonnements",
  allChoices: "Tous vos choix",
  stopTitle: "Ne plus recevoir ces e-mails ?",
  stopText: "Vous recevez des e-mails à ce sujet : {kind}.",
  stop: "Ne plus m’en envoyer",
  stoppedTitle: "Ces e-mails sont arrêtés",
  stoppedText:
    "Vous ne recevrez plus d’e-mails à ce sujet : {kind}. Les notifications sur les pages restent comme elles étaient.",
  incompleteTitle: "Ce lien est incomplet",
  incompleteText:
    "Une partie du lien manque. Ouvrez-le à nouveau depuis l’e-mail, ou changez vos réglages de notifications.",
  setting:
    "{key, select, newVideoFromSubscription {Nouvelles vidéos des chaînes que vous suivez} newCommentOnMyVideo {Commentaires sur vos vidéos} commentMention {Mentions de vous dans des commentaires} newFollow {Nouveaux abonnés} myVideoPublished {Publication de vos vidéos} myVideoImportFinished {Fin de vos importations} blacklistOnMyVideo {Blocages de vos vidéos} abuseStateChange {Décisions sur vos signalements} abuseNewMessage {Messages sur des signalements} announcement {Annonces de l’administration} newInstanceFollower {Nouveaux abonnés de l’instance (pour l’administration)} autoInstanceFollowing {Instances suivies en retour (pour l’administration)} newUserRegistration {Nouveaux utilisateurs (pour la modération)} abuseAsModerator {Signalements (pour la modération)} videoAutoBlacklistAsModerator {Vidéos bloquées automatiquement (pour la modération)} other {{key}}}"
} satisfies Translation<typeof english>
