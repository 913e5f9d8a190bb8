import type { messages as english } from "../en/ownership.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Offres et invitations",
  pageLead: "Ce que d’autres veulent vous donner, ou faire avec vous.",
  invitations: "Invitations à des chaînes",
  invitationsLead:
    "Qui travaille sur une chaîne met en ligne, modifie et supprime ses vidéos, et répond à ses commentaires.",
  noInvitations: "Personne n’attend que vous travailliez sur une chaîne.",
  videos: "Vidéos",
  videosLead: "Une vidéo que vous acceptez rejoint une de vos chaînes, et compte dans votre quota.",
  noVideos: "Personne ne vous offre de vidéo.",
  channels: "Chaînes",
  channelsLead: "Une chaîne que vous acceptez devient vôtre avec toutes ses vidéos, qui comptent dans votre quota.",
  noChannels: "Personne ne vous offre de chaîne.",
  channelOf: "Chaîne de {name}",
  offeredBy: "Offre de {name}, {day}",
  accept: "Accepter",
  acceptName: "Accepter : {name}",
  refuse: "Refuser",
  refuseName: "Refuser : {name}",
  refuseAsk: "Refuser {name} ?",
  refuseText: "Rien ne change de propriétaire, et celui-ci l’apprend. Il peut refaire son offre.",
  refused: "Vous avez refusé.",
  acceptAsk: "Accepter {name} ?",
  acceptText: "Elle devient vôtre, avec ses commentaires et ses compteurs, et garde son adresse.",
  acceptChannelText: "Elle devient vôtre avec toutes ses vidéos et ses abonnés, et garde son adresse.",
  channel: "Dans la chaîne",
  videoAccepted: "{name} est à vous désormais.",
  channelAccepted: "La chaîne {name} est à vous désormais.",
  joined: "Vous travaillez désormais sur {name}.",
  declined: "Vous avez refusé.",
  giveTitle: "{kind, select, channel {Donner la chaîne} other {Donner la vidéo}}",
  giveText:
    "{kind, select, channel {Un autre utilisateur de ce serveur la reçoit avec toutes ses vidéos dès qu’il accepte. Elle garde son adresse et ses abonnés.} other {Un autre utilisateur de ce serveur la reçoit dès qu’il accepte. Elle garde son adresse, ses commentaires et ses compteurs.}}",
  giveAsk: "Donner {name} à {to} ?",
  giveWarning:
    "{kind, select, channel {Dès qu’elle est acceptée, vous ne pouvez plus modifier la chaîne ni ses vidéos.} other {Dès qu’elle est acceptée, vous ne pouvez plus modifier la vidéo.}}",
  give: "Donner",
  username: "Nom d’utilisateur",
  usernameHelp: "Le nom de connexion sur ce serveur. La personne reçoit une notification, et peut refuser.",
  toWhom: "Veuillez dire qui la reçoit.",
  offered: "La demande est envoyée à {to}.",
  waitsFor: "Offerte à {name} le {day}. Pas encore de réponse.",
  withdraw: "Retirer l’offre",
  withdrawn: "L’offre est retirée."
} satisfies Translation<typeof english>
