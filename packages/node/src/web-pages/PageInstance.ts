import { Context } from "effect"

/** What pages say about the instance and how strict they are. */
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
    /** Origins other than our own that serve files of local videos (an object store's public address). */
    readonly mediaOrigins: ReadonlyArray<string>
    /** Content security policy of pages (configuration `csp.*`). */
    readonly csp: { readonly enabled: boolean; readonly reportOnly: boolean; readonly reportUri: string | null }
    /** Whether pages other than embeds refuse to be framed (configuration `security.frameguard.enabled`). */
    readonly frameguard: boolean
  }
>()("@kinora/node/pages/PageInstance") {}
