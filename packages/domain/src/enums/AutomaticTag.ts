/** What becomes of what has an automatic tag (contract: AutomaticTagPolicy). */
export const AutomaticTagPolicy = { reviewComment: 2, blockVideo: 3 } as const
export type AutomaticTagPolicy = (typeof AutomaticTagPolicy)[keyof typeof AutomaticTagPolicy]

/** The tag of texts with a link to another host. No list of watched words has this name. */
export const externalLinkTag = "external-link"
