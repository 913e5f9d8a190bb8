import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ContactForm } from "../requests/InstanceRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { Docs, problems } from "./Documentation.ts"

/** Writing to who runs the instance. */
export class ContactApi extends HttpApiGroup.make("contact", { topLevel: true })
  .add(
    HttpApiEndpoint.post("contactAdministrator", "/api/v1/server/contact", {
      payload: jsonOrForm(ContactForm),
      success: HttpApiSchema.NoContent
    }).annotate(Docs, {
      summary: "Send an email to the administrator, once an hour",
      problems: problems(400, 403, 409)
    })
  )
  .annotate(OpenApi.Title, "Contact") {}
