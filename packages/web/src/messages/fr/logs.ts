import type { messages as english } from "../en/logs.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Journaux",
  kinds: "Quel journal",
  server: "Serveur",
  audit: "Administration",
  serverLead: "Ce qu’a noté ce nœud, le plus récent à la fin.",
  auditLead: "Ce qu’ont fait administrateurs et modérateurs, avec les valeurs avant et après.",
  searchLabel: "Rechercher dans les lignes affichées",
  tagsLabel: "Étiquettes",
  level: "À partir du niveau",
  levelName: "{level, select, info {information} warn {avertissement} error {erreur} other {débogage}}",
  span: "Période",
  spanName: "{span, select, hour {dernière heure} day {dernier jour} other {dernière semaine}}",
  follow: "Suivre",
  copyAll: "Tout copier",
  copyLine: "Copier",
  copied: "Copié.",
  notCopied: "Le navigateur interdit la copie à cette page.",
  count: "{count, plural, one {# ligne} other {# lignes}}",
  operator: "L’opérateur, en ligne de commande",
  did: "{who} : {action} ({domain})",
  emptyTitle: "Aucune ligne",
  emptyText: "Rien n’a été noté qui corresponde aux filtres.",
  nothingFound: "Aucune ligne chargée ne contient ces mots."
} satisfies Translation<typeof english>
