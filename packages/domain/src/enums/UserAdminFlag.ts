/** Bits an administrator sets on a user. */
export const UserAdminFlag = { none: 0, bypassVideoAutoBlacklist: 1 } as const
