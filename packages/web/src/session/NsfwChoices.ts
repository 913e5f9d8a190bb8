import { type NsfwPolicy, nsfwPolicies } from "@kinora/domain/enums/NsfwFlag"
import type { NsfwChoices } from "@kinora/domain/text/SensitiveText"
import { property } from "../api/Answer.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askAsUser } from "./Session.ts"

const asPolicy = (given: unknown): NsfwPolicy | undefined => nsfwPolicies.find((it) => it === given)

/** The instance's policy, which every page contains; the strictest if one does not. */
export const policyOfPage = (): NsfwPolicy => asPolicy(document.body.dataset["nsfwPolicy"]) ?? "do_not_list"

const ask = async (): Promise<NsfwChoices | undefined> => {
  const { body, ok } = await askAsUser("/api/v1/users/me")
  const nsfwPolicy = asPolicy(property(body, "nsfwPolicy"))
  if (!ok || nsfwPolicy === undefined) return undefined
  const flags = (name: string) => Number(property(body, name) ?? 0)
  return {
    nsfwPolicy,
    nsfwFlagsDisplayed: flags("nsfwFlagsDisplayed"),
    nsfwFlagsWarned: flags("nsfwFlagsWarned"),
    nsfwFlagsBlurred: flags("nsfwFlagsBlurred"),
    nsfwFlagsHidden: flags("nsfwFlagsHidden")
  }
}

let asked: Promise<NsfwChoices | undefined> | undefined

/** What the user who is logged in chose, asked for once a page; undefined for visitors, and when it cannot be known. */
export const myChoices = (): Promise<NsfwChoices | undefined> => {
  if (!isLoggedIn()) return Promise.resolve(undefined)
  asked ??= ask()
  return asked
}
