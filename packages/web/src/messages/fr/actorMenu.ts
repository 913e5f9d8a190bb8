import type { messages as english } from "../en/actorMenu.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  more: "Plus d’actions",
  mute: "Masquer",
  muteAccount: "Masquer ce compte",
  muteAccountAsk: "Masquer ce compte ?",
  muteAccountText:
    "Vous ne verrez plus les vidéos et commentaires de {name}. Vous pourrez revenir sur ce choix dans vos masqués.",
  muteInstance: "Masquer son instance",
  muteInstanceAsk: "Masquer cette instance ?",
  muteInstanceText: "Vous ne verrez plus rien de {host}. Vous pourrez revenir sur ce choix dans vos masqués.",
  muted: "C’est masqué. Cela ne paraîtra plus dans vos listes.",
  reportAccount: "Signaler ce compte",
  reportVideo: "Signaler cette vidéo"
} satisfies Translation<typeof english>
