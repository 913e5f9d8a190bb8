import { labelled } from "./Labelled.ts"

/** What a user may do by default. */
export type UserRole = 0 | 1 | 2
export const UserRole = { administrator: 0, moderator: 1, user: 2 } as const

export const userRoles: ReadonlyArray<UserRole> = [0, 1, 2]

const userRoleLabels: Readonly<Record<UserRole, string>> = { 0: "Administrator", 1: "Moderator", 2: "User" }

/** `{ id, label }` of a role. */
export const userRole = (id: UserRole) => labelled(id, userRoleLabels)
