import type { messages as english } from "../en/panels.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  chapters: "Chapitres",
  transcript: "Transcription",
  notLoaded: "Les sous-titres n’ont pas pu se charger. Veuillez réessayer.",
  search: "Rechercher dans la transcription",
  language: "Langue de la transcription",
  found: "{count, plural, one {# ligne} other {# lignes}}"
} satisfies Translation<typeof english>
