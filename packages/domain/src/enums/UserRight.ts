import { UserRole } from "./UserRole.ts"

/** The rights beyond one's own things; each route that needs one names it (contract: UserRight; the last of them has no number there). */
export const userRights = [
  "MANAGE_USERS",
  "MANAGE_SERVER_FOLLOW",
  "MANAGE_LOGS",
  "MANAGE_DEBUG",
  "MANAGE_SERVER_REDUNDANCY",
  "MANAGE_ABUSES",
  "MANAGE_JOBS",
  "MANAGE_CONFIGURATION",
  "MANAGE_INSTANCE_CUSTOM_PAGE",
  "MANAGE_ACCOUNTS_BLOCKLIST",
  "MANAGE_SERVERS_BLOCKLIST",
  "MANAGE_VIDEO_BLACKLIST",
  "MANAGE_ANY_VIDEO_CHANNEL",
  "REMOVE_ANY_VIDEO",
  "REMOVE_ANY_VIDEO_PLAYLIST",
  "MANAGE_ANY_VIDEO_COMMENT",
  "UPDATE_ANY_VIDEO",
  "UPDATE_ANY_VIDEO_PLAYLIST",
  "GET_ANY_LIVE",
  "SEE_ALL_VIDEOS",
  "SEE_ALL_COMMENTS",
  "CHANGE_VIDEO_OWNERSHIP",
  "MANAGE_PLUGINS",
  "MANAGE_VIDEOS_REDUNDANCIES",
  "MANAGE_VIDEO_FILES",
  "RUN_VIDEO_TRANSCODING",
  "MANAGE_VIDEO_IMPORTS",
  "MANAGE_REGISTRATIONS",
  "MANAGE_RUNNERS",
  "MANAGE_USER_EXPORTS",
  "MANAGE_USER_IMPORTS",
  "MANAGE_INSTANCE_WATCHED_WORDS",
  "MANAGE_INSTANCE_AUTO_TAGS",
  "MANAGE_SERVER_BLOCKLIST_SUBSCRIPTIONS"
] as const
export type UserRight = (typeof userRights)[number]

const moderatorRights: ReadonlySet<UserRight> = new Set<UserRight>([
  "MANAGE_VIDEO_BLACKLIST",
  "MANAGE_ABUSES",
  "MANAGE_ANY_VIDEO_CHANNEL",
  "REMOVE_ANY_VIDEO",
  "REMOVE_ANY_VIDEO_PLAYLIST",
  "MANAGE_ANY_VIDEO_COMMENT",
  "UPDATE_ANY_VIDEO",
  "SEE_ALL_VIDEOS",
  "MANAGE_ACCOUNTS_BLOCKLIST",
  "MANAGE_SERVERS_BLOCKLIST",
  "MANAGE_USERS",
  "SEE_ALL_COMMENTS",
  "MANAGE_REGISTRATIONS",
  "MANAGE_INSTANCE_WATCHED_WORDS",
  "MANAGE_INSTANCE_AUTO_TAGS"
])

/** Whether a role has a right: administrators have all, users none (contract: UserRoleRights). */
export const hasRight = (role: UserRole, right: UserRight): boolean =>
  role === UserRole.administrator || (role === UserRole.moderator && moderatorRights.has(right))
