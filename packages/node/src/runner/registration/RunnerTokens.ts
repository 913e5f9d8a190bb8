import { randomUUID } from "node:crypto"

/** Tokens of the runner protocol: a prefix for the purpose, and a random UUID (contract: tokenPrefixes). */
export const newRegistrationToken = (): string => `ptrrt-${randomUUID()}`
export const newRunnerToken = (): string => `ptrt-${randomUUID()}`
export const newJobToken = (): string => `ptrjt-${randomUUID()}`
