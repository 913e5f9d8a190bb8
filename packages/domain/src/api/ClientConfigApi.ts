import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InterfaceLanguage } from "../requests/ClientConfigRequests.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { Docs, problems } from "./Documentation.ts"

const payload = jsonOrForm(InterfaceLanguage)
const success = HttpApiSchema.NoContent

/** What a browser remembers in cookies. */
export class ClientConfigApi extends HttpApiGroup.make("clientConfig", { topLevel: true })
  .add(
    HttpApiEndpoint.post("updateClientLanguage", "/api/v1/client-config/update-language", {
      payload,
      success
    }).annotate(Docs, {
      summary: "Choose the language of the interface, under its older address",
      deprecated: true,
      problems: problems(400)
    }),
    HttpApiEndpoint.post("updateClientInterfaceLanguage", "/api/v1/client-config/update-interface-language", {
      payload,
      success
    }).annotate(Docs, { summary: "Choose the language of the interface", problems: problems(400) })
  )
  .annotate(OpenApi.Title, "Client Config") {}
