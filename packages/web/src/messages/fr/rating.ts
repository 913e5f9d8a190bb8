import type { messages as english } from "../en/rating.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  rating: "Avis",
  like: "J’aime",
  dislike: "Je n’aime pas",
  title: "Commentaires",
  off: "Les commentaires sont désactivés pour cette vidéo.",
  logIn: "Connectez-vous",
  toRate: "{link} pour donner votre avis."
} satisfies Translation<typeof english>
