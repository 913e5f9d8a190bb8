import type { messages as english } from "../en/broadcast.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  title: "Passer en direct depuis ce navigateur",
  room: "Régie",
  watch: "Regarder",
  what: "Que montrer",
  picture: "Image",
  camera: "Caméra",
  screen: "Écran",
  microphone: "Micro",
  noMicrophone: "Sans micro",
  usual: "Celui par défaut",
  lookCamera: "Activer la caméra",
  lookScreen: "Choisir un écran",
  preview: "Aperçu, sans le son",
  loudness: "Niveau du son",
  noSound: "Il n’y a pas de son.",
  size: "Partagez un écran entier plutôt qu’une fenêtre : le direct se termine quand l’image change de taille.",
  begin: "Passer en direct",
  sending: "Ce qui est émis",
  state: "{state, select, on {EN DIRECT} interrupted {Interrompu} other {Connexion}}",
  stateText:
    "{state, select, on {L’image et le son sont émis.} interrupted {La connexion est interrompue. Elle est rétablie.} other {La connexion s’établit.}}",
  stays: "Laissez cette fenêtre ouverte. Vous pouvez y passer à la régie : l’émission continue.",
  end: "Terminer le direct",
  endTitle: "Terminer le direct ?",
  endText: "Il se termine pour tous ceux qui le regardent.",
  failure:
    "{failure, select, insecure {Les navigateurs ne donnent la caméra et le micro qu’aux pages chiffrées : ouvrez cette instance par https.} unsupported {Ce navigateur ne sait pas émettre du H.264 par WebRTC. Prenez-en un autre, ou un logiciel comme OBS Studio.} refused {Le navigateur n’y a pas été autorisé. Autorisez la caméra et le micro pour ce site à côté de son adresse, puis réessayez.} noDevice {Il n’y a pas de telle caméra ni de tel micro. Branchez-en un, puis réessayez.} deviceBusy {Un autre logiciel utilise la caméra ou le micro. Fermez-le, puis réessayez.} other {Le navigateur n’a donné aucune image. Réessayez.}}",
  ended:
    "{reason, select, key {La clé de ce direct a été remplacée. Rechargez la page.} taken {Ce direct est émis d’ailleurs.} ended {On ne peut pas émettre ce direct : il est terminé ou a été bloqué.} off {Cette instance n’accepte pas d’émissions depuis un navigateur.} format {L’instance ne peut pas accepter ce que ce navigateur émet.} full {L’instance ne peut pas accepter l’émission pour le moment. Réessayez.} network {L’instance est injoignable. Réessayez.} resized {L’image a changé de taille, et le direct est terminé.} sourceEnded {La caméra ou l’écran a été retiré, et le direct est terminé.} other {La connexion n’a pas pu être rétablie, et le direct est terminé.}}",
  otherTitle: "Un autre direct est émis d’ici",
  otherText: "Terminez-le avant de commencer celui-ci.",
  offTitle: "Pas depuis le navigateur",
  offText: "Cette instance n’accepte pas d’émissions depuis un navigateur, ou ce direct est terminé."
} satisfies Translation<typeof english>
