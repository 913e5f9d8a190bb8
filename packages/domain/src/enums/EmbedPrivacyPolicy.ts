import { labelled } from "./Labelled.ts"

/** Where a video may be embedded. */
export type EmbedPrivacyPolicy = 1 | 2 | 3
export const EmbedPrivacyPolicy = { allAllowed: 1, allowlist: 2, remoteRestrictions: 3 } as const

export const embedPrivacyPolicyLabels: Readonly<Record<EmbedPrivacyPolicy, string>> = {
  1: "All allowed",
  2: "Allowlist",
  3: "Remote restrictions"
}

/** `{ id, label }` of a policy. */
export const embedPrivacyPolicy = (id: EmbedPrivacyPolicy) => labelled(id, embedPrivacyPolicyLabels)
