import type { Translation } from "../../i18n/Translation.ts"
import type { messages as english } from "../en/sensitive.ts"

export const messages = {
  heading: "Contenu sensible",
  text: "{flags, select, 1 {Son auteur indique que cette vidéo montre de la violence.} 2 {Son auteur indique que cette vidéo montre des scènes sexuelles explicites.} 3 {Son auteur indique que cette vidéo montre de la violence et des scènes sexuelles explicites.} other {Son auteur a marqué cette vidéo comme sensible.}}",
  watch: "Regarder quand même"
} satisfies Translation<typeof english>
