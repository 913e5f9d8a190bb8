/** The language of the page, which the server chose (`RequestLanguage.ts` of the node). */
export const documentLanguage = (): string => globalThis.document?.documentElement.lang ?? "en"
