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
import { AddUserResponse, User, UserList } from "../wire/User.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_USERS"
const ofOne = problems(400, 403, 404)

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
        problems: problems(400, 403, 409)
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
        problems: problems(400, 403, 404, 409)
      }),
    HttpApiEndpoint.delete("delUser", "/api/v1/users/:id", { params: userParams, success: HttpApiSchema.NoContent })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Delete a user with everything that is theirs", right, problems: ofOne }),
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
    HttpApiEndpoint.get("autocompleteUsernames", "/api/v1/users/autocomplete", {
      query: autocompleteQuery,
      success: Schema.Array(Schema.String)
    }).annotate(Docs, { summary: "Complete a username", problems: problems(400) })
  )
  .annotate(OpenApi.Title, "Users") {}
