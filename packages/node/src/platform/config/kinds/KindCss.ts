import { pattern } from "./Kind.ts"

// Both go into a stylesheet, so they are bounded to what cannot end a declaration.

/** A colour of CSS: a name, `#` with hexadecimal digits, or a colour function of plain numbers (CSS Color 4). */
export const color = pattern(
  /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\([0-9a-z.,%/ +-]{1,80}\))$/i,
  "a CSS colour such as #1a7f5a or hsl(160 66% 30%)"
)

/** A length of CSS. */
export const cssLength = pattern(/^(0|\d{1,4}(\.\d{1,3})?(px|rem|em|%))$/, 'a CSS length such as "8px" or "0.5rem"')
