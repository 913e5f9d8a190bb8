import { Schema } from "effect"
import { EmbedPrivacyPolicy } from "../enums/EmbedPrivacyPolicy.ts"
import { field, optional, type Reader } from "../fields/Field.ts"
import { idOf, listOf } from "../fields/Readers.ts"

/** Sites one video may name. */
const maxEmbedDomains = 100

const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?`
const host = new RegExp(String.raw`^(?=.{1,253}(?::|$))(?:${label}\.)*${label}(?::[1-9][0-9]{0,4})?$`, "u")

/** A host, with its port where it has one, not an address and not a pattern. In lower case. */
const domain: Reader<string> = {
  message: "Must be the host of a site, such as example.org",
  documented: { type: "string", maxLength: 253 },
  parse: (input) => {
    const text = typeof input === "string" ? input.trim().toLowerCase() : ""
    return host.test(text) ? text : undefined
  }
}

const many = listOf(domain, `Must be at most ${maxEmbedDomains} hosts of sites, such as example.org`, {
  type: "array",
  items: domain.documented,
  maxItems: maxEmbedDomains
})

const domains: Reader<ReadonlyArray<string>> = {
  ...many,
  parse: (input) => {
    const found = many.parse(input)
    return found === undefined || found.length > maxEmbedDomains ? undefined : [...new Set(found)]
  }
}

/** Restrictions of other instances (3) are theirs to set. */
const policies = [EmbedPrivacyPolicy.allAllowed, EmbedPrivacyPolicy.allowlist] as const

/** Where a video may be embedded (contract: VideoEmbedPrivacyUpdate). */
export const UpdateEmbedPrivacy = Schema.Struct({
  policy: field({
    ...idOf(policies, `Must be one of ${policies.join(", ")}`),
    documented: { type: "integer", enum: [1, 2, 3] }
  }),
  domains: optional(domains)
})

/** The site somebody asks about. */
export const embedDomainQuery = { domain: field(domain) }
