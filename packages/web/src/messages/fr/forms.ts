import type { messages as english } from "../en/forms.ts"
import type { Translation } from "@kinora/domain/i18n/Translation"

export const messages = {
  done: "C’est fait.",
  lookAtMarked: "Veuillez regarder les champs marqués.",
  notSame: "Ce n’est pas identique.",
  tooLong: "C’est trop long.",
  nothingKept: "Ce navigateur ne retient rien de ce site : vous ne pouvez pas y rester connecté.",
  codeNeeded: "Votre compte demande aussi un code à usage unique.",
  refused:
    "{code, select, invalid_grant {Nom d’utilisateur ou mot de passe incorrect} invalid_two_factor {Le code à usage unique est incorrect} too_long_password {Le mot de passe est trop long} account_blocked {Ce compte est bloqué} email_not_verified {L’adresse e-mail n’est pas encore vérifiée} account_waiting_for_approval {Votre inscription attend la décision de la modération} account_approval_rejected {Votre inscription a été refusée} other {}}"
} satisfies Translation<typeof english>
