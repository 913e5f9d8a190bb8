import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

let text: string | undefined

/**
 * The code of bcryptjs as text, for the threads that hash passwords: they run no module of the program. A bundle has the text in place
 * of this module (scripts/lib/BcryptText.ts).
 */
export const bcryptLibrary = (): string =>
  (text ??= readFileSync(createRequire(import.meta.url).resolve("bcryptjs"), "utf8"))
