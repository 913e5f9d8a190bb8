import type { NsfwPolicy } from "@kinora/domain/enums/NsfwFlag"
import { Context } from "effect"

/** Data of the instance for pages, and their security settings. */
export class PageInstance extends Context.Service<
  PageInstance,
  {
    readonly name: string
    readonly shortDescription: string
    readonly description: string
    readonly terms: string
    /** Whether visitors can write to the administrator. */
    readonly hasContactForm: boolean
    /** Public address without a trailing slash, such as `http://localhost:9000`. */
    readonly origin: string
    /** Version of the software, for the about page. */
    readonly version: string
    /** Other origins that serve files of local videos (an object store's public URL). */
    readonly mediaOrigins: ReadonlyArray<string>
    /** Content security policy of pages (configuration `csp.*`). */
    readonly csp: { readonly enabled: boolean; readonly reportOnly: boolean; readonly reportUri: string | null }
    /** Whether pages other than embeds forbid framing (configuration `security.frameguard.enabled`). */
    readonly frameguard: boolean
    /** How sensitive videos are shown to who made no choice of their own. */
    readonly nsfwPolicy: NsfwPolicy
  }
>()("@kinora/node/pages/PageInstance") {}
