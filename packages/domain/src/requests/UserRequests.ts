import { Schema } from "effect"
import { userRoles } from "../enums/UserRole.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { boolean, idOf, nullable } from "../fields/Readers.ts"
import { rowId, userFields } from "./UserFields.ts"

/** No plugin authenticates users: there is no name of one to give. */
const pluginAuth: Reader<null> = {
  message: "Must be null: no plugin authenticates users here",
  documented: { type: ["string", "null"] },
  parse: (input) => (input === null || input === "" || input === "null" ? null : undefined)
}

/** Body of `POST /users` (contract: AddUser). An empty password: the user sets one by mail. */
export const AddUser = Schema.Struct({
  username: field(userFields.username),
  password: field(userFields.passwordOrNone),
  email: field(userFields.email),
  role: field(userFields.role),
  adminFlags: optional(userFields.adminFlags),
  channelName: optional(userFields.channelName),
  videoQuota: optional(userFields.videoQuota),
  videoQuotaDaily: optional(userFields.videoQuotaDaily)
})
export type AddUser = typeof AddUser.Type

/** Body of `PUT /users/{id}` (contract: UpdateUser): what is not there stays as it is. */
export const UpdateUser = Schema.Struct({
  email: optional(userFields.email),
  emailVerified: optional(nullable(userFields.flag)),
  videoQuota: optional(userFields.videoQuota),
  videoQuotaDaily: optional(userFields.videoQuotaDaily),
  pluginAuth: optional(pluginAuth),
  role: optional(userFields.role),
  adminFlags: optional(userFields.adminFlags),
  password: optional(userFields.password)
})
export type UpdateUser = typeof UpdateUser.Type

/** Body of `POST /users/{id}/block`. */
export const BlockUser = Schema.Struct({ reason: optional(nullable(userFields.blockReason)) })

/** Path of one user. */
export const userParams = { id: field(rowId("a user")) }

/** Query of `GET /users/{id}`. */
export const userQuery = query({ withStats: boolean() })

/** Columns a list of users is sorted by (contract: SortableColumns.users). */
const userSorts = ["id", "username", "videoQuotaUsed", "createdAt", "lastLoginDate", "role"] as const
export type UserSort = (typeof userSorts)[number]

const listReaders = {
  ...pageReaders(userSorts),
  search: userFields.search,
  blocked: boolean(),
  role: idOf(userRoles, `Must be one of the roles ${userRoles.join(", ")}`)
}

/** Query of `GET /users`. */
export const userListQuery = query(listReaders)

/** Query of `GET /users/autocomplete`. */
export const autocompleteQuery = { search: field(userFields.search) }
