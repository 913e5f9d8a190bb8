import type { Reader } from "./Field.ts"

/**
 * Names of stored files are ours: letters, digits, dots, dashes, underscores, not beginning with a dot. Whatever else is
 * asked for cannot exist, so that no name reaches out of its folder.
 */
const pattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/

export const isFileName = (name: string): boolean => pattern.test(name) && !name.includes("..")

/** Path parameter naming a stored file. */
export const fileName: Reader<string> = {
  message: "Must be a valid file name",
  documented: { type: "string" },
  parse: (input) => (typeof input === "string" && isFileName(input) ? input : undefined)
}
