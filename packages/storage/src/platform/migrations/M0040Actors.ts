import { groupAnnounces } from "./M0040GroupAnnounces.ts"
import { listing } from "./M0040Listing.ts"

/** What actors of ours say of themselves and pass on, and which videos of others are shown to everybody. */
export const M0040Actors = `
${groupAnnounces}
${listing}
`
