import type { Configuration } from "../config/Configuration.ts"

const link = (config: Configuration, path: string, query: Readonly<Record<string, string>>): string =>
  `${config.derived.origin}${path}?${new URLSearchParams(query)}`

/** The page where a user verifies an email address: of a new account, or after a change. */
export const verifyEmailLink = (config: Configuration, userId: number, token: string, pending: boolean): string =>
  link(config, "/verify-account/email", {
    userId: String(userId),
    verificationString: token,
    ...(pending ? { isPendingEmail: "true" } : {})
  })

/** The same for a registration that waits for approval. */
export const verifyRegistrationLink = (config: Configuration, registrationId: number, token: string): string =>
  link(config, "/verify-account/email", { registrationId: String(registrationId), verificationString: token })

/** Where a user sets a new password, or the first one. */
export const resetPasswordLink = (config: Configuration, userId: number, token: string): string =>
  link(config, "/reset-password", { userId: String(userId), verificationString: token })
