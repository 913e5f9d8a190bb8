import type { messages as english } from "../en/mutes.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Masqués",
  lead: "Vous ne voyez ni vidéos, ni commentaires, ni notifications de qui vous masquez. Personne ne l’apprend.",
  kinds: "Ce qui est masqué",
  accounts: "Comptes",
  servers: "Serveurs",
  account: "Compte",
  accountHelp: "Son nom, comme anna ou anna@example.org.",
  server: "Serveur",
  serverHelp: "Son nom, comme example.org. Tout ce qui en vient est masqué.",
  mute: "Masquer",
  muted: "{name} est masqué.",
  unmute: "Ne plus masquer {name}",
  unmuted: "{name} n’est plus masqué.",
  since: "Depuis le {day}",
  instanceTitle: "Masqués pour tout le monde",
  instanceLead:
    "Personne sur cette instance ne voit leurs vidéos ni leurs commentaires, et ce qu’ils envoient est refusé.",
  noAccounts:
    "{by, select, instance {Aucun compte n’est masqué pour tout le monde.} other {Vous ne masquez aucun compte.}}",
  noServers:
    "{by, select, instance {Aucun serveur n’est masqué pour tout le monde.} other {Vous ne masquez aucun serveur.}}"
} satisfies Translation<typeof english>
