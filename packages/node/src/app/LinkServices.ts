import { FeedTokenRows } from "@kinora/storage/people/session/FeedTokenRows"
import { RecoveryCodeRows } from "@kinora/storage/people/two-factor/RecoveryCodeRows"
import { TwoFactorRows } from "@kinora/storage/people/two-factor/TwoFactorRows"
import { OneTimeTokens } from "@kinora/storage/people/user/OneTimeTokens"
import { EmailRows } from "@kinora/storage/people/verification/EmailRows"
import { Layer } from "effect"
import { FeedTokens } from "../people/session/FeedTokens.ts"
import { KeyCheckTask } from "../platform/secrets/KeyCheckTask.ts"
import { Recovery } from "../people/two-factor/Recovery.ts"
import { TwoFactor } from "../people/two-factor/TwoFactor.ts"
import { TwoFactorSecrets } from "../people/two-factor/TwoFactorSecrets.ts"
import { TwoFactorSetup } from "../people/two-factor/TwoFactorSetup.ts"
import { RequestedMails } from "../people/verification/RequestedMails.ts"
import { EmailVerification } from "../people/verification/EmailVerification.ts"
import { OneTimeLinks } from "../people/verification/OneTimeLinks.ts"
import { PasswordLinks } from "../people/verification/PasswordLinks.ts"
import { PasswordReset } from "../people/user/PasswordReset.ts"
import { TokenUpkeep } from "../people/verification/TokenUpkeep.ts"

const rows = Layer.mergeAll(
  EmailRows.layer,
  TwoFactorRows.layer,
  RecoveryCodeRows.layer,
  FeedTokenRows.layer,
  OneTimeTokens.layer
)

/**
 * Links, one-time codes and feed tokens, for sessions and users to stand on: needs `SqlClient`, `KinoraConfig`,
 * `Mailer`, `SecretBox` and `RateLimitStore`.
 */
export const LinkServices = Layer.mergeAll(
  EmailVerification.layer,
  PasswordLinks.layer,
  TwoFactor.layer,
  FeedTokens.layer
).pipe(Layer.provideMerge(Layer.mergeAll(OneTimeLinks.layer, TwoFactorSecrets.layer)), Layer.provideMerge(rows))

/** What is done with them, over sessions and users. */
export const LinkUses = Layer.mergeAll(
  RequestedMails.layer,
  PasswordReset.layer,
  TwoFactorSetup.layer,
  Recovery.layer,
  TokenUpkeep,
  KeyCheckTask
)
