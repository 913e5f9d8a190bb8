const reserved = /[!'()*]/g

/** Percent-encoding of everything but unreserved characters (RFC 3986). */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(reserved, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
