/**
 * All bits together that say why a video is not safe for work: 1 for violence, 2 for explicit sex, and 4, which the contract
 * reserves without a name.
 */
export const allNsfwFlags = 7

/** What an instance or a user does with such videos; `blur` is kept for old settings. */
export const nsfwPolicies = ["do_not_list", "warn", "blur", "display"] as const
export type NsfwPolicy = (typeof nsfwPolicies)[number]
