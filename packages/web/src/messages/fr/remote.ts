import type { messages as english } from "../en/remote.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  logIn: "Connectez-vous pour trouver cela ici, et pour le suivre, l’évaluer ou le commenter en votre nom.",
  nothing: "Rien n’y a été trouvé qui puisse être montré ici."
} satisfies Translation<typeof english>
