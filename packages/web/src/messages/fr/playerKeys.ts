import type { messages as english } from "../en/playerKeys.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  space: "Espace",
  play: "Lire ou mettre en pause",
  five: "5 secondes en arrière ou en avant",
  ten: "10 secondes en arrière ou en avant",
  tenth: "À un dixième de la vidéo",
  picture: "Une image en arrière ou en avant, en pause",
  speed: "Plus lent ou plus rapide",
  mute: "Couper le son",
  louder: "Plus fort ou moins fort, dans le lecteur",
  captions: "Sous-titres",
  fullscreen: "Plein écran",
  pip: "Image dans l’image"
} satisfies Translation<typeof english>
