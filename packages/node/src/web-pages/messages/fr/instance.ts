import type { Translation } from "@kinora/domain/i18n/Translation"
import type { messages as english } from "../en/instance.ts"

export const messages = {
  description: "Description",
  terms: "Conditions",
  supportInstance: "Soutenir cette instance",
  elsewhere: "Ailleurs",
  website: "Site web",
  law: "Le droit applicable à cette instance : {country}.",
  contact: "Contact",
  writeToAdmin: "Écrire à l’administration",
  software: "Logiciel",
  softwareText: "{program} {version}, un hébergeur de vidéos fédéré et un logiciel libre sous AGPL.",
  apiText: "{api} est ouverte à tous les clients.",
  itsApi: "Son API",
  contactText: "Ce formulaire envoie un e-mail à qui gère {name}. La réponse ira à l’adresse que vous donnez.",
  contactLimit: "Un seul e-mail peut être envoyé par heure.",
  yourName: "Votre nom",
  yourEmail: "Votre adresse e-mail",
  subject: "De quoi s’agit-il ?",
  message: "Votre message",
  send: "Envoyer",
  sent: "Merci : votre message est en route.",
  tooSoon: "Vous avez écrit il y a moins d’une heure. Veuillez attendre un peu.",
  noContact: "Cette instance n’a pas de formulaire de contact.",
  welcome: "Bienvenue",
  welcomeTo: "Bienvenue sur {name}",
  embedTest: "Essai d’intégration",
  embedTestNone:
    "{what, select, playlist {Il n’y a pas encore de liste de lecture publique à montrer.} other {Il n’y a pas encore de vidéo publique à montrer.}}",
  embedTestText:
    "{what, select, playlist {La dernière liste de lecture publique, telle que d’autres sites la montrent.} other {La dernière vidéo publique, telle que d’autres sites la montrent.}}",
  embedTestFrame: "{what, select, playlist {Liste de lecture intégrée} other {Vidéo intégrée}}",
  elsewhereTitle: "Venu d’ailleurs",
  brokenTitle: "Ce lien est cassé",
  brokenText: "Il ne dit pas où il mène."
} satisfies Translation<typeof english>
