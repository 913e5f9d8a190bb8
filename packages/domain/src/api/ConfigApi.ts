import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { logoTypes } from "../enums/LogoType.ts"
import { field } from "../fields/Field.ts"
import { oneOf } from "../fields/Readers.ts"
import { CustomConfigBody } from "../requests/CustomConfigBody.ts"
import { jsonOrForm } from "../requests/Payload.ts"
import { CustomConfig, SettingOrigins } from "../wire/CustomConfig.ts"
import { ServerConfig } from "../wire/ServerConfig.ts"
import { ServerConfigAbout } from "../wire/ServerConfigAbout.ts"
import { Authenticated } from "./Authentication.ts"
import { Docs, problems } from "./Documentation.ts"

const custom = "/api/v1/config/custom"

const success = HttpApiSchema.NoContent
const right = "MANAGE_CONFIGURATION"
const logoParams = { logoType: field(oneOf(logoTypes, `Must be one of ${logoTypes.join(", ")}`)) }
const refused = problems(400, 403, 408, [413, "max_file_size_reached"], 415, 507)
const form = (name: string) => ({
  "multipart/form-data": {
    type: "object",
    required: [name],
    properties: { [name]: { type: "string", format: "binary" } }
  }
})

/** Pictures come as forms: handlers read them as they arrive (`ImageUpload`). */
const pictures = [
  HttpApiEndpoint.post("postConfigInstanceBannerPick", "/api/v1/config/instance-banner/pick", { success })
    .middleware(Authenticated)
    .annotate(Docs, { summary: "Set the banner of the instance", right, body: form("bannerfile"), problems: refused }),
  HttpApiEndpoint.delete("deleteConfigInstanceBanner", "/api/v1/config/instance-banner", { success })
    .middleware(Authenticated)
    .annotate(Docs, { summary: "Remove the banner of the instance", right, problems: problems(403) }),
  HttpApiEndpoint.post("postConfigInstanceAvatarPick", "/api/v1/config/instance-avatar/pick", { success })
    .middleware(Authenticated)
    .annotate(Docs, { summary: "Set the avatar of the instance", right, body: form("avatarfile"), problems: refused }),
  HttpApiEndpoint.delete("deleteConfigInstanceAvatar", "/api/v1/config/instance-avatar", { success })
    .middleware(Authenticated)
    .annotate(Docs, { summary: "Remove the avatar of the instance", right, problems: problems(403) }),
  HttpApiEndpoint.post("postConfigInstanceLogoPick", "/api/v1/config/instance-logo/:logoType/pick", {
    params: logoParams,
    success
  })
    .middleware(Authenticated)
    .annotate(Docs, { summary: "Set a logo of the instance", right, body: form("logofile"), problems: refused }),
  HttpApiEndpoint.delete("deleteConfigInstanceLogoByLogoType", "/api/v1/config/instance-logo/:logoType", {
    params: logoParams,
    success
  })
    .middleware(Authenticated)
    .annotate(Docs, { summary: "Remove a logo of the instance", right, problems: problems(400, 403) })
] as const

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
        problems: problems([403, "password_confirmation_required"])
      }),
    ...pictures,
    HttpApiEndpoint.get("getCustomConfigOrigins", `${custom}/origins`, { success: SettingOrigins })
      .middleware(Authenticated)
      .annotate(Docs, {
        summary: "List where the value of each setting comes from, and which ones the environment pins",
        right: "MANAGE_CONFIGURATION",
        problems: problems(403)
      })
  )
  .annotate(OpenApi.Title, "Config") {}
