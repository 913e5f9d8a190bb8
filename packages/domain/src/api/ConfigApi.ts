import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CustomConfigBody } from "../requests/CustomConfigBody.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { CustomConfig, SettingOrigins } from "../wire/CustomConfig.ts"
import { ServerConfig } from "../wire/ServerConfig.ts"
import { ServerConfigAbout } from "../wire/ServerConfigAbout.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const custom = "/api/v1/config/custom"

/** What clients read about the instance before anything else. */
export class ConfigApi extends HttpApiGroup.make("config", { topLevel: true })
  .add(
    HttpApiEndpoint.get("getConfig", "/api/v1/config", { success: ServerConfig }).annotate(Docs, {
      summary: "Get the public configuration of the instance"
    }),
    HttpApiEndpoint.get("getAbout", "/api/v1/config/about", { success: ServerConfigAbout }).annotate(Docs, {
      summary: "Get the texts about the instance"
    }),
    HttpApiEndpoint.get("getCustomConfig", custom, { success: CustomConfig })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Get the settings that can be changed while the instance runs",
        right: "MANAGE_CONFIGURATION",
        problems: problems(403)
      }),
    HttpApiEndpoint.put("putCustomConfig", custom, { payload: jsonOrForm(CustomConfigBody), success: CustomConfig })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Change settings on every node at once; members that are missing stay as they are",
        right: "MANAGE_CONFIGURATION",
        problems: problems(400, 403)
      }),
    HttpApiEndpoint.delete("delCustomConfig", custom, { success: CustomConfig })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "Reset all settings to those of file and environment",
        right: "MANAGE_CONFIGURATION",
        problems: problems(403)
      }),
    HttpApiEndpoint.get("getCustomConfigOrigins", `${custom}/origins`, { success: SettingOrigins })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List where the value of each setting comes from, and which ones the environment pins",
        right: "MANAGE_CONFIGURATION",
        problems: problems(403)
      })
  )
  .annotate(OpenApi.Title, "Config") {}
