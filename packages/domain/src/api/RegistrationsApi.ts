import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { jsonOrForm } from "../requests/Payload.ts"
import {
  RegisterUser,
  registrationListQuery,
  registrationParams,
  UserRegistrationDecision,
  UserRegistrationRequest
} from "../requests/RegistrationRequest.ts"
import { RegisteredUser, UserRegistration, UserRegistrationList } from "../wire/UserRegistration.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const right = "MANAGE_REGISTRATIONS"
const decision = {
  params: registrationParams,
  payload: jsonOrForm(UserRegistrationDecision),
  success: HttpApiSchema.NoContent
}

/** Getting an account: at once, or by asking for one that a moderator grants. */
export class RegistrationsApi extends HttpApiGroup.make("registrations", { topLevel: true })
  .add(
    HttpApiEndpoint.post("registerUser", "/api/v1/users/register", {
      payload: jsonOrForm(RegisterUser),
      success: RegisteredUser
    }).annotate(Docs, {
      summary: "Make an account of one's own, with a channel where one is named",
      problems: problems(400, 403, 409)
    }),
    HttpApiEndpoint.post("requestRegistration", "/api/v1/users/registrations/request", {
      payload: jsonOrForm(UserRegistrationRequest),
      success: UserRegistration
    }).annotate(Docs, {
      summary: "Request an account that a moderator must approve",
      problems: problems(400, 403, 409)
    }),
    HttpApiEndpoint.post("acceptRegistration", "/api/v1/users/registrations/:registrationId/accept", decision)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Grant an account", right, problems: problems(400, 403, 404, 409) }),
    HttpApiEndpoint.post("rejectRegistration", "/api/v1/users/registrations/:registrationId/reject", decision)
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Refuse an account", right, problems: problems(400, 403, 404, 409) }),
    HttpApiEndpoint.delete("deleteRegistration", "/api/v1/users/registrations/:registrationId", {
      params: registrationParams,
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "Delete a registration", right, problems: problems(400, 403, 404) }),
    HttpApiEndpoint.get("listRegistrations", "/api/v1/users/registrations", {
      query: registrationListQuery,
      success: UserRegistrationList
    })
      .middleware(Authenticated)
      .annotate(Docs, { summary: "List registrations", right, problems: problems(400, 403) })
  )
  .annotate(OpenApi.Title, "Register") {}
