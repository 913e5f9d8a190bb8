import type { Translation } from "@kinora/domain/i18n/Translation"
import type { messages as english } from "../en/labels.ts"

export const messages = {
  category:
    "{id, select, 1 {Musique} 2 {Films} 3 {Véhicules} 4 {Art} 5 {Sports} 6 {Voyages} 7 {Jeux vidéo} 8 {Personnes} 9 {Humour} 10 {Divertissement} 11 {Actualités et politique} 12 {Tutoriels} 13 {Éducation} 14 {Militantisme} 15 {Sciences et techniques} 16 {Animaux} 17 {Enfants} 18 {Cuisine} other {}}",
  licence:
    "{id, select, 1 {Attribution} 2 {Attribution - Partage dans les mêmes conditions} 3 {Attribution - Pas de modification} 4 {Attribution - Pas d’utilisation commerciale} 5 {Attribution - Pas d’utilisation commerciale - Partage dans les mêmes conditions} 6 {Attribution - Pas d’utilisation commerciale - Pas de modification} 7 {Domaine public} 8 {Libre de droits d’auteur connus} 9 {Tous droits réservés} other {}}",
  playlistPrivacy:
    "{id, select, 1 {Publique : tout le monde, dans une chaîne} 2 {Non répertoriée : qui a le lien} 3 {Privée : vous seulement} other {}}"
} satisfies Translation<typeof english>
