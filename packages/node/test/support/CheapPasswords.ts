import { currentParameters, type HashParameters } from "../../src/people/session/PasswordHash.ts"

const key = Symbol.for("kinora.test.passwordParameters")
const kept = globalThis as { [key]?: HashParameters }

/** What the program hashes with: read once, since this file is run before each test file and workers share what they read. */
const real = (kept[key] ??= { ...currentParameters })

const cheap = real.algorithm === "argon2id" ? { memory: 8, passes: 1 } : { N: 2, p: 1 }

/** Hashes passwords as the program does, in the rest of a file: for tests of what protects them. */
export const hashPasswordsAsEver = (): void => void Object.assign(currentParameters, real)

// Each user that a test makes or logs in costs a tenth of a second otherwise.
Object.assign(currentParameters, cheap)
