import type { messages as english } from "../en/subscriptions.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  subscribe: "S’abonner",
  subscribed: "Abonné",
  follows: "Vous suivez cette chaîne.",
  followsNot: "Vous ne suivez plus cette chaîne."
} satisfies Translation<typeof english>
