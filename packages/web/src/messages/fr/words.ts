import type { messages as english } from "../en/words.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "{by, select, instance {Mots surveillés de l’instance} other {Mots surveillés}}",
  pageLead:
    "{by, select, instance {Les commentaires et vidéos qui ont un de ces mots reçoivent le nom de sa liste comme étiquette : les modérateurs les trouvent ainsi.} other {Les commentaires de vos vidéos qui ont un de ces mots reçoivent le nom de sa liste comme étiquette.}}",
  parts: "Mots et étiquettes",
  lists: "Listes de mots",
  tags: "{by, select, instance {Vidéos bloquées} other {Commentaires retenus}}",
  name: "Nom",
  words: "Mots",
  changed: "Modifiée",
  acts: "Actions",
  more: "{count, plural, one {et # autre} other {et # autres}}",
  subscribed: "Abonnement : {address}",
  create: "Nouvelle liste",
  edit: "Modifier",
  editTitle: "Modifier {name}",
  delete: "Supprimer",
  deleteAsk: "Supprimer la liste {name} ?",
  deleteText: "Plus rien ne reçoit son étiquette, et plus rien n’est retenu à cause d’elle.",
  deleted: "La liste {name} est supprimée.",
  saved: "La liste {name} est enregistrée.",
  nameHelp:
    "{by, select, instance {L’étiquette que reçoivent commentaires et vidéos.} other {L’étiquette que reçoivent les commentaires. Vous seul la voyez.}}",
  nameWrong: "Le nom doit avoir de 1 à 100 caractères.",
  nameTaken: "Le programme lui-même a une étiquette de ce nom.",
  wordsHelp:
    "Un mot ou une expression par ligne ; majuscules et accents ne comptent pas. {count, plural, =0 {Aucun pour l’instant} one {# à présent} other {# à présent}}, {max} au plus.",
  noWords: "La liste a besoin d’un mot au moins, et de {max} au plus.",
  tooMany: "La liste a trop de mots : {max} au plus.",
  lineLong: "La ligne {line} est trop longue : un mot ou une expression a {max} caractères au plus.",
  emptyTitle: "Aucun mot surveillé",
  emptyText:
    "{by, select, instance {Une liste de mots signale ce que les modérateurs devraient regarder.} other {Une liste de mots signale les commentaires que vous devriez regarder.}}",
  tagsText:
    "{by, select, instance {Les vidéos nouvelles ou modifiées qui ont ces étiquettes sont bloquées jusqu’à ce qu’un modérateur les ait vues.} other {Les commentaires nouveaux ou modifiés qui ont ces étiquettes ne sont vus par personne d’autre avant votre accord.}}",
  externalLink: "Liens vers d’autres sites",
  externalLinkHelp: "Ce qui a dans son texte une adresse d’un autre site.",
  tagHelp: "Ce qui a un mot de cette liste.",
  isChosen:
    "{by, select, instance {Les vidéos avec l’étiquette « {tag} » sont bloquées désormais.} other {Les commentaires avec l’étiquette « {tag} » attendent votre accord désormais.}}",
  isLeft:
    "{by, select, instance {Les vidéos avec l’étiquette « {tag} » ne sont plus bloquées.} other {Les commentaires avec l’étiquette « {tag} » n’attendent plus.}}"
} satisfies Translation<typeof english>
