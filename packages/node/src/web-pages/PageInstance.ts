import type { LogoType } from "@kinora/domain/enums/LogoType"
import type { NsfwPolicy } from "@kinora/domain/enums/NsfwFlag"
import { Context } from "effect"
import type { browseSorts } from "../platform/config/keys/Server.ts"

/** Data of the instance for pages, and their security settings. Administrators change some while the instance runs: read them for each page. */
export class PageInstance extends Context.Service<
  PageInstance,
  {
    readonly name: string
    readonly shortDescription: string
    readonly description: string
    readonly terms: string
    /** Whether visitors can write to the administrator. */
    readonly hasContactForm: boolean
    /** What the administrator wants everybody to read, in Markdown. */
    readonly broadcast:
      | { readonly message: string; readonly level: "info" | "warning" | "error"; readonly dismissable: boolean }
      | undefined
    /** Logos that an administrator chose, by kind. */
    readonly logos: Partial<
      Readonly<Record<LogoType, { readonly address: string; readonly width: number; readonly height: number }>>
    >
    /** Addresses of the operator's own stylesheet and script. */
    readonly custom: { readonly styles: string | undefined; readonly script: string | undefined }
    /** What the list of all videos on the first page shows, and in which order. */
    readonly browse: { readonly sort: (typeof browseSorts)[number]; readonly local: boolean }
    /** What the about page says besides. Empty texts are left out. */
    readonly about: {
      readonly language: string
      readonly country: string
      readonly support: string
      readonly links: ReadonlyArray<readonly [name: string, address: string]>
    }
    /** Whether the watch page plays at once. */
    readonly autoplay: boolean
    /** Whether the header shows the logo alone. */
    readonly hidesName: boolean
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
