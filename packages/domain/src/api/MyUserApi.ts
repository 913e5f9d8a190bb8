import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MyUser } from "../wire/MyUser.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs } from "./Documentation.ts"

/** The user who asks. */
export class MyUserApi extends HttpApiGroup.make("myUser", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getUserInfo", "/api/v1/users/me", { success: MyUser })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "The user who asks" })
  )
  .annotate(OpenApi.Title, "My User") {}
