import type { messages as english } from "../en/welcome.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Premiers pas",
  lead: "Cinq étapes vers votre propre instance. Chacune peut être passée, et tout se change plus tard.",
  steps: "Étapes",
  stepName:
    "{step, select, identity {Nom} registration {Inscriptions} mail {Courriel} federation {Fédération} other {Transcodage}}",
  stepText:
    "{step, select, identity {Ce qu’on lit d’abord de ce lieu.} registration {Qui peut avoir un compte ici.} mail {Les liens qui vérifient une adresse ou changent un mot de passe partent par courriel. Est-ce que cela marche ?} federation {Comment cette instance et les autres s’abonnent entre elles.} other {Les vidéos envoyées sont converties en formats et tailles que tout appareil sait lire. Cela coûte du temps et de la place.}}",
  name: "Nom de l’instance",
  nameHelp: "Affiché dans les titres, dans les courriels et aux autres instances.",
  shortDescription: "Courte description",
  shortDescriptionHelp: "Une ou deux phrases.",
  mode: "Inscriptions",
  modeName:
    "{mode, select, open {Ouvertes : qui demande a un compte} approval {Sur accord : les modérateurs décident} other {Fermées : les administrateurs créent les comptes}}",
  limit: "Limite de comptes",
  limitHelp: "À ce nombre de comptes, les inscriptions se ferment. -1 : pas de limite.",
  followers: "D’autres peuvent s’abonner à cette instance",
  manualApproval: "Me demander avant chaque abonnement",
  channels: "D’autres peuvent s’abonner aux chaînes d’ici",
  followBack: "S’abonner en retour",
  followBackHelp: "Cette instance s’abonne à qui s’abonne à elle : les vidéos des deux se voient des deux côtés.",
  transcoding: "Transcoder les vidéos",
  transcodingHelp: "Sans cela, les vidéos sont lues telles quelles, et certains appareils n’y arrivent pas.",
  resolutions: "Définitions",
  soundOnly: "Son seul",
  pinned: "Fixé par l’environnement : ne se change pas ici.",
  address: "Adresse",
  addressHelp: "Un courriel d’essai y est envoyé.",
  sendMail: "Envoyer un courriel d’essai",
  mailOutcome:
    "{kind, select, waiting {Le courriel part vers le serveur de courriel…} sent {Le serveur de courriel a pris le courriel. Voyez s’il est arrivé, et s’il n’est pas pris pour du pourriel.} other {Le courriel n’est pas parti : {reason}}}",
  saveAndNext: "Enregistrer et continuer",
  next: "Continuer",
  skip: "Passer",
  doneTitle: "Votre instance est prête",
  doneText: "Tout le reste est dans la configuration, quand vous en aurez besoin.",
  toOverview: "Vers la vue d’ensemble",
  toConfig: "Tous les réglages",
  toUpload: "Envoyer la première vidéo"
} satisfies Translation<typeof english>
