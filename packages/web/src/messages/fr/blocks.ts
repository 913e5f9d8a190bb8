import type { messages as english } from "../en/blocks.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Vidéos bloquées",
  lead: "Seuls leurs propriétaires et les modérateurs les voient. Certaines attendent votre examen.",
  searchLabel: "Rechercher dans les vidéos bloquées",
  video: "Vidéo",
  type: "Bloquée par",
  typeName: "{type, select, 1 {un modérateur} 2 {l’examen des nouvelles vidéos} other {une étiquette automatique}}",
  unfederated: "retirée des autres instances",
  reason: "Raison",
  date: "Depuis",
  acts: "Actions",
  accept: "Accepter",
  unblock: "Ne plus bloquer",
  watch: "Regarder",
  acceptAsk: "{count, plural, one {Accepter cette vidéo ?} other {Accepter # vidéos ?}}",
  unblockAsk: "{count, plural, one {Ne plus bloquer cette vidéo ?} other {Ne plus bloquer # vidéos ?}}",
  unblockText:
    "{count, plural, one {Elle sera de nouveau visible} other {Elles seront de nouveau visibles}} pour tous ceux qui y ont accès.",
  unblocked: "{count, plural, one {# vidéo est de nouveau visible.} other {# vidéos sont de nouveau visibles.}}",
  changeReason: "Changer la raison",
  reasonTitle: "Pourquoi la vidéo est bloquée",
  reasonText: "Le propriétaire de « {name} » lit ceci.",
  saveReason: "Enregistrer la raison",
  reasonSaved: "La raison est enregistrée.",
  changeNote: "Note pour les modérateurs",
  note: "Note",
  noteTitle: "Note pour les modérateurs",
  noteText: "À propos de « {name} ». Le propriétaire ne la voit pas.",
  noteLine: "Note : {note}",
  saveNote: "Enregistrer la note",
  noteSaved: "La note est enregistrée.",
  nothingTitle: "Rien trouvé",
  nothingText: "Aucune vidéo bloquée ne correspond à la recherche et au filtre.",
  emptyTitle: "Aucune vidéo n’est bloquée",
  emptyText: "Les vidéos bloquées, ou en attente d’examen, paraissent ici."
} satisfies Translation<typeof english>
