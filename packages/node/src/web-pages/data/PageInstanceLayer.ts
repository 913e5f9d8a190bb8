import { version } from "@kinora/domain/Version"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { sendsMail } from "../../platform/mail/SendsMail.ts"
import { PageInstance } from "../PageInstance.ts"

/** Instance data for pages, from the configuration. */
export const PageInstanceLayer = Layer.effect(
  PageInstance,
  Effect.map(KinoraConfig, (config) =>
    PageInstance.of({
      name: config.instance.name,
      shortDescription: config.instance.short_description,
      description: config.instance.description,
      terms: config.instance.terms,
      hasContactForm: config.contact_form.enabled && sendsMail(config),
      origin: config.derived.origin,
      version,
      mediaOrigins: [],
      csp: { enabled: config.csp.enabled, reportOnly: config.csp.report_only, reportUri: config.csp.report_uri },
      frameguard: config.security.frameguard.enabled,
      nsfwPolicy: config.instance.default_nsfw_policy
    })
  )
)
