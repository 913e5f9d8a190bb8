import type { Translation } from "@kinora/domain/i18n/Translation"
import type { messages as english } from "../en/library.ts"

export const messages = {
  name: "Nom",
  description: "Description",
  privacy: "Qui peut la voir",
  channel: "Chaîne",
  none: "Aucune",
  picture: "Image",
  pictureHint: "Sans elle, l’image de la première vidéo représente la liste.",
  mine: "Mes listes de lecture",
  make: "Nouvelle liste de lecture",
  create: "Créer",
  playlist: "Liste de lecture",
  play: "Lire",
  change: "Changer le nom, la confidentialité ou l’image",
  save: "Enregistrer",
  remove: "Supprimer cette liste",
  orderHint:
    "Pour changer l’ordre, faites glisser les poignées, ou placez le focus sur l’une d’elles et utilisez les flèches.",
  nothing: "Cette liste est encore vide. Choisissez « Enregistrer » sous une vidéo pour la mettre ici."
} satisfies Translation<typeof english>
