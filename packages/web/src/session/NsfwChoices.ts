import { type NsfwPolicy, nsfwPolicies } from "@kinora/domain/enums/NsfwFlag"
import type { NsfwChoices } from "@kinora/domain/text/SensitiveText"
import { call } from "../api/Call.ts"
import { isLoggedIn } from "../api/StoredSession.ts"

const asPolicy = (given: unknown): NsfwPolicy | undefined => nsfwPolicies.find((it) => it === given)

/** The instance's policy, which every page contains; the strictest if one does not. */
export const policyOfPage = (): NsfwPolicy => asPolicy(document.body.dataset["nsfwPolicy"]) ?? "do_not_list"

const ask = async (): Promise<NsfwChoices | undefined> => {
  const answer = await call("GET /api/v1/users/me")
  return answer.ok ? answer.body : undefined
}

let asked: Promise<NsfwChoices | undefined> | undefined

/** What the user who is logged in chose, asked for once a page; undefined for visitors, and when it cannot be known. */
export const myChoices = (): Promise<NsfwChoices | undefined> => {
  if (!isLoggedIn()) return Promise.resolve(undefined)
  asked ??= ask()
  return asked
}
