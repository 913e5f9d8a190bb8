import type { Translation } from "../../i18n/Translation.ts"
import type { messages as english } from "../en/notices.ts"

export const messages = {
  quoted: "« {name} »",
  aVideo: "une vidéo",
  somebody: "Quelqu’un",
  theChannel: "la chaîne {name}",
  aChannel: "une chaîne",
  someChannel: "Une chaîne",
  anotherInstance: "Une autre instance",
  aComment: "un commentaire sur {video}",
  published: "{channel} a publié {video}",
  waitsForReview: "{who} attend votre examen d’un commentaire sur {video}",
  commented: "{who} a commenté {video}",
  mentioned: "{who} vous a mentionné dans un commentaire sur {video}",
  reported: "Signalement reçu : {what}",
  reportedComment: "Un commentaire sur {video} a été signalé",
  reportedGone: "Quelque chose a été signalé, qui a disparu depuis",
  blocked: "La modération a bloqué {video}",
  unblocked: "{video} n’est plus bloquée",
  yourPublished: "Votre vidéo {video} est publiée",
  imported: "{video} a été importée",
  notImported: "{video} n’a pas pu être importée",
  registered: "Nouvelle inscription : {who}",
  follows: "{who} vous suit",
  followsChannel: "{who} suit votre chaîne {channel}",
  autoBlocked: "{video} a été bloquée automatiquement et attend la modération",
  instanceFollows: "{host} suit votre instance",
  instanceAsks: "{host} demande à suivre votre instance",
  followsBack: "Votre instance suit {host} en retour",
  reportAccepted:
    "{known, select, yes {Votre signalement a été accepté : {what}} other {Votre signalement a été accepté}}",
  reportRejected:
    "{known, select, yes {Votre signalement a été rejeté : {what}} other {Votre signalement a été rejeté}}",
  reportMessage:
    "{known, select, yes {Nouveau message sur un signalement : {what}} other {Nouveau message sur un signalement}}",
  asksForAccount: "{who} demande un compte",
  live: "{channel} est en direct : {video}",
  invites: "{who} vous invite à travailler sur la chaîne {channel}",
  invitationAccepted: "{who} a accepté votre invitation à travailler sur la chaîne {channel}",
  invitationDeclined: "{who} a décliné votre invitation à travailler sur la chaîne {channel}",
  offers: "{who} veut vous donner {what}",
  tookOver: "{who} a repris {what}",
  declinedOver: "{who} n’a pas voulu reprendre {what}",
  other: "Du nouveau"
} satisfies Translation<typeof english>
