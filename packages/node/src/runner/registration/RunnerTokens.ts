import { randomUUID } from "node:crypto"

/** Tokens of the runner protocol: what they are for, and a random UUID (contract: tokenPrefixes). */
export const newRegistrationToken = (): string => `ptrrt-${randomUUID()}`
export const newRunnerToken = (): string => `ptrt-${randomUUID()}`
export const newJobToken = (): string => `ptrjt-${randomUUID()}`
