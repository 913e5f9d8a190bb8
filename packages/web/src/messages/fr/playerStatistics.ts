import type { messages as english } from "../en/playerStatistics.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  bandwidth: "Débit",
  buffer: "Tampon",
  codec: "Codecs",
  droppedFrames: "Images perdues",
  latency: "Retard du direct",
  playedBy: "Lecture par",
  protocol: "Protocole",
  resolution: "Résolution",
  viewport: "Affichée en"
} satisfies Translation<typeof english>
