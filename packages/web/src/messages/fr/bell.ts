import type { messages as english } from "../en/bell.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  latest: "Dernières notifications",
  all: "Toutes les notifications",
  subscriptions: "Abonnements",
  label: "{count, plural, =0 {Notifications} one {Notifications, # non lue} other {Notifications, # non lues}}",
  oneMoment: "Un instant…",
  nothing: "Rien pour le moment.",
  saved: "Enregistré.",
  none: "Aucune notification pour le moment. Les nouvelles de vos vidéos et chaînes paraîtront ici."
} satisfies Translation<typeof english>
