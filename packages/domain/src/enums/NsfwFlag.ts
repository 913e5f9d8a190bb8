/** Bits that say why a video is not safe for work; 4 is reserved by the contract without a name. */
export const NsfwFlag = { none: 0, violent: 1, explicitSex: 2 } as const

/** All bits together, the reserved one included. */
export const allNsfwFlags = 7

/** What an instance or a user does with such videos; `blur` is kept for old settings. */
export const nsfwPolicies = ["do_not_list", "warn", "blur", "display"] as const
export type NsfwPolicy = (typeof nsfwPolicies)[number]
