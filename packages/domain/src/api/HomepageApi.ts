import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { UpdateHomepage } from "../requests/InstanceRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { CustomHomepage } from "../wire/CustomHomepage.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const path = "/api/v1/custom-pages/homepage/instance"

/** What an administrator writes to be read first. */
export class HomepageApi extends HttpApiGroup.make("homepage", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getCustomPagesHomepageInstance", path, { success: CustomHomepage }).annotate(Docs, {
      summary: "Get the custom homepage in Markdown",
      problems: problems(404)
    }),
    HttpApiEndpoint.put("putCustomPagesHomepageInstance", path, {
      payload: jsonOrForm(UpdateHomepage),
      success: HttpApiSchema.NoContent
    })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Write the homepage; nothing takes it away",
        right: "MANAGE_INSTANCE_CUSTOM_PAGE",
        problems: problems(400, 403)
      })
  )
  .annotate(OpenApi.Title, "Homepage") {}
