import type { messages as english } from "../en/forms.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  done: "C’est fait.",
  lookAtMarked: "Veuillez regarder les champs marqués.",
  notSame: "Ce n’est pas identique.",
  tooLong: "C’est trop long.",
  nothingKept: "Ce navigateur ne retient rien de ce site : vous ne pouvez pas y rester connecté.",
  codeNeeded: "Votre compte demande aussi un code à usage unique."
} satisfies Translation<typeof english>
