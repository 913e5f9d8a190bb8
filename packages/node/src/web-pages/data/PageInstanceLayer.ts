import { version } from "@kinora/domain/Version"
import { Effect, Layer } from "effect"
import { Appearance } from "../../instance/appearance/Appearance.ts"
import { s3Origins } from "../../platform/config/ObjectStorage.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"
import { customScript, customStyles } from "../Customizations.ts"
import { PageInstance } from "../PageInstance.ts"

/** Instance data for pages, from the configuration as it is when a page is made. */
export const PageInstanceLayer = Layer.effect(
  PageInstance,
  Effect.gen(function* () {
    const config = yield* KinoraConfig
    const runtime = yield* RuntimeConfig
    const custom = runtime.derived(() => ({
      styles: customStyles(config)?.address,
      script: customScript(config)?.address
    }))
    const appearance = yield* Appearance
    const logos = runtime.derived(() =>
      Object.fromEntries(
        appearance
          .shown()
          .logos.filter(({ isFallback }) => !isFallback)
          .map(({ fileUrl, height, type, width }) => [type, { address: fileUrl, width, height }])
      )
    )
    return PageInstance.of({
      get name() {
        return config.instance.name
      },
      get shortDescription() {
        return config.instance.short_description
      },
      get description() {
        return config.instance.description
      },
      get terms() {
        return config.instance.terms
      },
      get hasContactForm() {
        return config.contact_form.enabled && sendsMail(config)
      },
      get broadcast() {
        const { dismissable, enabled, level, message } = config.broadcast_message
        return enabled && message.trim() !== "" ? { dismissable, level, message } : undefined
      },
      get logos() {
        return logos()
      },
      get custom() {
        return custom()
      },
      get browse() {
        const { default_scope, default_sort } = config.client.browse_videos
        return { sort: default_sort, local: default_scope === "local" }
      },
      get about() {
        const { default_language, server_country, social, support } = config.instance
        const links = [
          ["Website", social.external_link],
          ["Mastodon", social.mastodon_link],
          ["Bluesky", social.bluesky_link],
          ["X", social.x_link]
        ] as const
        return {
          language: default_language,
          country: server_country,
          support: support.text,
          links: links.filter(([, address]) => address !== "")
        }
      },
      get autoplay() {
        return config.defaults.player.auto_play
      },
      get hidesName() {
        return config.client.header.hide_instance_name
      },
      origin: config.derived.origin,
      version,
      mediaOrigins: s3Origins(config.object_storage),
      csp: { enabled: config.csp.enabled, reportOnly: config.csp.report_only, reportUri: config.csp.report_uri },
      frameguard: config.security.frameguard.enabled,
      get nsfwPolicy() {
        return config.instance.default_nsfw_policy
      }
    })
  })
)
