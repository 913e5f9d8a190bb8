import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AddUser,
  autocompleteQuery,
  BlockUser,
  UpdateUser,
  userListQuery,
  userParams,
  userQuery
} from "../requests/UserRequests.ts"
import { AddUserResponse, BulkUserOutcomes, User, UserList } from "../wire/User.ts"
import { BlockUsers, SomeUsers } from "../requests/UserBulkRequests.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_USERS"
const ofOne = problems(400, 403, 404)
const confirmed = [403, "password_confirmation_required"] as const

/** Users as administrators and moderators manage them (specification rows 26 to 30). */
export class UsersApi extends HttpApiGroup.make("users", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUsers", "/api/v1/users", { query: userListQuery, success: UserList })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List users", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("addUser", "/api/v1/users", { payload: AddUser, success: AddUserResponse })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Make a user; with an empty password, the user is mailed a link that sets one",
        right,
        problems: problems(400, confirmed, 409)
      }),
    HttpApiEndpoint.get("getUser", "/api/v1/users/:id", { params: userParams, query: userQuery, success: User })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Get one user", right, problems: ofOne }),
    HttpApiEndpoint.put("putUser", "/api/v1/users/:id", {
      params: userParams,
      payload: UpdateUser,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change a user; only administrators change roles",
        right,
        problems: problems(400, confirmed, 404, 409)
      }),
    HttpApiEndpoint.delete("delUser", "/api/v1/users/:id", { params: userParams, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete a user with everything that is theirs",
        right,
        problems: problems(400, confirmed, 404)
      }),
    HttpApiEndpoint.post("postUsersBlock", "/api/v1/users/:id/block", {
      params: userParams,
      payload: BlockUser,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Block a user and end their sessions", right, problems: ofOne }),
    HttpApiEndpoint.post("postUsersUnblock", "/api/v1/users/:id/unblock", {
      params: userParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Let a blocked user in again", right, problems: ofOne }),
    HttpApiEndpoint.post("postUsersBulkBlock", "/api/v1/users/bulk/block", {
      payload: BlockUsers,
      success: BulkUserOutcomes
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Block some users, one after another", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("postUsersBulkUnblock", "/api/v1/users/bulk/unblock", {
      payload: SomeUsers,
      success: BulkUserOutcomes
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Let some blocked users in again", right, problems: problems(400, 403) }),
    HttpApiEndpoint.post("postUsersBulkDelete", "/api/v1/users/bulk/delete", {
      payload: SomeUsers,
      success: BulkUserOutcomes
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Delete some users, one after another, with everything that is theirs",
        right,
        problems: problems(400, confirmed)
      }),
    HttpApiEndpoint.get("autocompleteUsernames", "/api/v1/users/autocomplete", {
      query: autocompleteQuery,
      success: Schema.Array(Schema.String)
    }).annotate(Docs, { summary: "Complete a username", problems: problems(400) })
  )
  .annotate(OpenApi.Title, "Users") {}
