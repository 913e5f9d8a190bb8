import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ServerConfig } from "../wire/ServerConfig.ts"
import { ServerConfigAbout } from "../wire/ServerConfigAbout.ts"
import { Docs } from "./Documentation.ts"

/** What clients read about the instance before anything else. */
export class ConfigApi extends HttpApiGroup.make("config", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getConfig", "/api/v1/config", { success: ServerConfig }).annotate(Docs, {
      summary: "Get the public configuration of the instance"
    }),
    HttpApiEndpoint.get("getAbout", "/api/v1/config/about", { success: ServerConfigAbout }).annotate(Docs, {
      summary: "Get the texts about the instance"
    })
  )
  .annotate(OpenApi.Title, "Config") {}
