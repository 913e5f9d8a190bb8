import type { messages as english } from "../en/archives.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  switchedOff: "Cette instance ne crée ni ne reçoit d’archives de comptes.",
  export: "Exporter",
  exportText:
    "Une archive contient votre profil, vos réglages, chaînes, vidéos, listes de lecture, commentaires, avis, abonnements et votre historique. Vous pouvez la garder, et l’apporter à une autre instance.",
  withVideoFiles: "Avec les fichiers de mes vidéos",
  ask: "Demander une archive",
  asked: "L’archive est en préparation. Vous pouvez quitter cette page, et la retrouver ici.",
  archiveOf: "Archive du {at}",
  beingMade: "Elle est en préparation. Vous pouvez quitter cette page.",
  ready: "Prête : {size}, gardée jusqu’au {until}",
  failed: "Elle n’a pas pu être créée.",
  download: "Télécharger",
  giveUp: "Abandonner l’archive du {at}",
  remove: "Supprimer l’archive du {at}",
  removed: "L’archive est supprimée.",
  import: "Importer",
  importText:
    "Ce que contient l’archive d’une autre instance est ajouté à votre compte. Les vidéos comptent dans votre quota. Ce que vous avez déjà reste.",
  choose: "Choisir une archive",
  sending: "Part envoyée de l’archive",
  sent: "{sent} sur {size} envoyés",
  cancelled: "Annulé. Rien n’a été importé.",
  importing: "L’archive du {at} est en cours d’importation. Vous pouvez quitter cette page.",
  imported: "L’archive du {at} est importée.",
  importFailed: "L’importation du {at} a échoué. {why}",
  outcome: "Ce qu’il en est advenu",
  what: "Quoi",
  new: "Nouveau",
  before: "Déjà là",
  notImported: "Échoué",
  section:
    "{section, select, account {Profil} userSettings {Réglages} channels {Chaînes} blocklist {Comptes et instances masqués} videos {Vidéos} videoPlaylists {Listes de lecture} following {Abonnements} likes {J’aime} dislikes {Je n’aime pas} userVideoHistory {Historique} watchedWordsLists {Mots surveillés} commentAutoTagPolicies {Étiquettes qui retiennent des commentaires} other {Autre}}"
} satisfies Translation<typeof english>
