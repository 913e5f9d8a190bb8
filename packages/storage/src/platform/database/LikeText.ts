/** PostgreSQL text cannot contain NUL, so a value with one matches nothing. */
export const safeText = (text: string): string => text.replaceAll("\0", "\u{fffd}")

/** The text with LIKE wildcards escaped. */
export const escapeLike = (text: string): string =>
  safeText(text).replaceAll(/[\\%_]/g, (character) => `\\${character}`)
