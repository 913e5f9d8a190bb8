/** A translation has the keys of the English messages. */
export type Translation<English> = { readonly [K in keyof English]: string }
