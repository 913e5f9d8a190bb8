import { labelled } from "./Labelled.ts"

/** What moderators decided on a report (contract: AbuseState). */
export type AbuseState = 1 | 2 | 3
export const AbuseState = { pending: 1, rejected: 2, accepted: 3 } as const
export const abuseStates: ReadonlyArray<AbuseState> = [1, 2, 3]

const labels: Readonly<Record<AbuseState, string>> = { 1: "Pending", 2: "Rejected", 3: "Accepted" }

/** `{ id, label }` of a state. */
export const abuseState = (id: AbuseState) => labelled(id, labels)
