/** PostgreSQL text holds no NUL: a value with one matches nothing, as any other that is nowhere. */
export const safeText = (text: string): string => text.replaceAll("\0", "\u{fffd}")

/** The text with the wildcards of LIKE taken literally. */
export const escapeLike = (text: string): string =>
  safeText(text).replaceAll(/[\\%_]/g, (character) => `\\${character}`)
