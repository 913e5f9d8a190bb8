import type { messages as english } from "../en/config.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Configuration",
  lead: "Ce qui peut être changé pendant que l’instance fonctionne, avec effet immédiat sur chaque nœud.",
  searchLabel: "Rechercher dans les réglages",
  changedOnly: "Seulement ce qui diffère des valeurs par défaut",
  nothingTitle: "Aucun résultat",
  nothingText: "Aucun réglage ne correspond à la recherche.",
  pinned: "Fixé par {name}",
  originName:
    "{origin, select, file {Du fichier} database {Réglé ici} environment {De l’environnement} other {Par défaut}}",
  notSaved: "Non enregistré",
  withoutEffect: "Sans effet : {why}",
  changes: "{count, plural, one {# modification non enregistrée} other {# modifications non enregistrées}}",
  discard: "Abandonner",
  saved: "{count, plural, one {# réglage enregistré.} other {# réglages enregistrés.}}"
} satisfies Translation<typeof english>
