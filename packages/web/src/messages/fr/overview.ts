import type { messages as english } from "../en/overview.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Vue d’ensemble",
  lead: "Ce qui vous attend, et comment va l’instance.",
  attention: "À traiter",
  reports: "{count, plural, one {signalement ouvert} other {signalements ouverts}}",
  waitingVideos: "{count, plural, one {nouvelle vidéo à vérifier} other {nouvelles vidéos à vérifier}}",
  taggedVideos:
    "{count, plural, one {vidéo retenue pour ses étiquettes} other {vidéos retenues pour leurs étiquettes}}",
  registrations: "{count, plural, one {personne demande un compte} other {personnes demandent un compte}}",
  failedJobs: "{count, plural, one {tâche échouée} other {tâches échouées}}",
  webhooks: "{count, plural, one {webhook en échec, désactivé} other {webhooks en échec, désactivés}}",
  figures: "Chiffres",
  people: "Personnes",
  users: "Utilisateurs",
  activeToday: "Actifs aujourd’hui",
  activeMonth: "Actifs ce mois-ci",
  channels: "Chaînes",
  videos: "Vidéos",
  localVideos: "Vidéos d’ici",
  views: "Vues",
  comments: "Commentaires",
  files: "Taille de leurs fichiers",
  federation: "Fédération",
  followers: "Abonnés",
  following: "Abonnements",
  allVideos: "Vidéos, avec celles des autres",
  messagesWaiting: "Messages en attente",
  tasks: "Travaux de ce nœud",
  task: "Travail",
  state: "État",
  restarts: "Redémarrages",
  since: "Depuis",
  firstSteps: "L’instance porte encore son nom d’origine. Quelques étapes en font la vôtre.",
  toFirstSteps: "Commencer"
} satisfies Translation<typeof english>
