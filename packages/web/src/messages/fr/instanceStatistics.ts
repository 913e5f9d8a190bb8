import type { messages as english } from "../en/instanceStatistics.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  lead: "Comment l’instance a changé. Les mesures sont faites toutes les quelques minutes et gardées deux ans.",
  spanName:
    "{days, select, 1 {Le dernier jour} 7 {Les 7 derniers jours} 30 {Les 30 derniers jours} other {La dernière année}}",
  perHour: "Chaque point est une heure ; la dernière n’est pas finie.",
  perDay: "Chaque point est un jour (UTC) ; le dernier n’est pas fini.",
  nothing:
    "Il n’y a pas encore de mesures de cette période. Les premières viennent quelques minutes après le démarrage.",
  people: "Personnes et vidéos",
  users: "Utilisateurs",
  videos: "Vidéos publiques",
  views: "Vues au total",
  storage: "Stockage",
  storageIn: "Stockage en {unit}",
  fileBytes: "Fichiers des vidéos",
  databaseBytes: "Base de données",
  traffic: "Trafic",
  requests: "Requêtes",
  responsesIn: "Envoyé aux navigateurs, applications et serveurs, en {unit}",
  responseBytes: "Envoyé",
  work: "Travail en arrière-plan",
  jobsEnded: "Tâches finies",
  jobsCompleted: "Réussies",
  jobsFailed: "Échouées",
  jobsWaiting: "Tâches en attente",
  federation: "Fédération",
  follows: "Abonnements",
  followers: "Abonnés de l’instance",
  following: "Suivis par l’instance",
  sent: "Livraisons aux autres instances",
  deliveries: "Livrées",
  deliveriesFailed: "Essais échoués",
  received: "Activités d’autres instances",
  activitiesApplied: "Appliquées",
  activitiesRefused: "Refusées",
  queues: "Ce qui attend",
  deliveriesWaiting: "À livrer",
  activitiesWaiting: "À appliquer",
  storageHelp:
    "Fichiers des vidéos : ce qui a été téléversé, et ce qui en a été fait. La base de données contient tout le reste, sauf les images."
} satisfies Translation<typeof english>
