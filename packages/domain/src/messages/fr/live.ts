import type { Translation } from "../../i18n/Translation.ts"
import type { messages as english } from "../en/live.ts"

export const messages = {
  live: "EN DIRECT",
  soon: "Bientôt",
  atEdge: "EN DIRECT : vous suivez ce qui se passe",
  toEdge: "EN DIRECT : revenir à ce qui se passe maintenant",
  notBegun: "Ce direct n’a pas encore commencé",
  beginsAt: "Il est annoncé pour le {when}.",
  byItself: "Il démarrera ici de lui-même.",
  hasEnded: "Ce direct est terminé",
  over: "Le direct est terminé",
  replayFollows: "Sa rediffusion suivra ici dès qu’elle sera prête.",
  replayOnChannel: "Sa rediffusion suivra sur la page de la chaîne.",
  replayIsHere: "La rediffusion est prête.",
  watchReplay: "Voir la rediffusion",
  needsScript: "Regarder un direct a besoin de JavaScript.",
  viewers:
    "{count, plural, =0 {Personne ne regarde encore} one {{short} personne regarde} other {{short} personnes regardent}}"
} satisfies Translation<typeof english>
