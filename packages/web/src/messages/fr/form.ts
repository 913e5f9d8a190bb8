import type { messages as english } from "../en/form.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  none: "Aucun choix",
  name: "Titre",
  nameWrong: "Le titre doit avoir de 3 à 120 caractères.",
  description: "Description",
  descriptionHelp: "Markdown, liens et instants comme 1:23 sont reconnus.",
  descriptionWrong: "La description doit avoir de 3 à 10 000 caractères.",
  tags: "Étiquettes",
  tagsHelp: "{max, plural, one {# étiquette} other {# étiquettes}} au plus. Appuyez sur Entrée après chacune.",
  tagsWrong: "Chaque étiquette doit avoir de 2 à 30 caractères.",
  category: "Catégorie",
  categoryName:
    "{id, select, 1 {Musique} 2 {Films} 3 {Véhicules} 4 {Art} 5 {Sports} 6 {Voyages} 7 {Jeux vidéo} 8 {Société} 9 {Humour} 10 {Divertissement} 11 {Actualité et politique} 12 {Tutoriels} 13 {Éducation} 14 {Militantisme} 15 {Science et technologie} 16 {Animaux} 17 {Enfants} 18 {Cuisine} other {Inconnue}}",
  licence: "Licence",
  licenceName:
    "{id, select, 1 {Attribution} 2 {Attribution - Partage dans les mêmes conditions} 3 {Attribution - Pas de modification} 4 {Attribution - Pas d’utilisation commerciale} 5 {Attribution - Pas d’utilisation commerciale - Partage dans les mêmes conditions} 6 {Attribution - Pas d’utilisation commerciale - Pas de modification} 7 {Domaine public} 8 {Sans restriction de droit d’auteur connue} 9 {Tous droits réservés} other {Inconnue}}",
  language: "Langue",
  channel: "Chaîne",
  privacy: "Qui peut la voir",
  privacyName:
    "{id, select, 1 {Publique} 2 {Non listée} 3 {Privée} 4 {Interne} 5 {Protégée par mot de passe} other {Inconnue}}",
  privacyHelp:
    "{id, select, 1 {Tout le monde la trouve.} 2 {Seulement avec le lien.} 3 {Vous seul.} 4 {Seulement les personnes connectées ici.} 5 {Seulement avec le mot de passe.} other {}}",
  password: "Mot de passe",
  passwordWrong: "Le mot de passe doit avoir de 2 à 100 caractères.",
  publishAt: "Publier le",
  publishAtHelp: "Vide : tout de suite. Jusque-là, elle est privée.",
  publishAtWrong: "Ce moment est passé.",
  comments: "Commentaires",
  commentsName: "{id, select, 1 {Autorisés} 2 {Interdits} 3 {Après votre accord} other {Inconnu}}",
  download: "Le public peut la télécharger",
  sensitive: "Contenu sensible",
  sensitiveHelp: "Le public est averti, ou ne la voit pas, selon son choix."
} satisfies Translation<typeof english>
