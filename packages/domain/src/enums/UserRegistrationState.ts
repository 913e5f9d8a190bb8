import { labelled } from "./Labelled.ts"

/** Where a registration stands (contract: UserRegistrationState). */
export type UserRegistrationState = 1 | 2 | 3
export const UserRegistrationState = { pending: 1, rejected: 2, accepted: 3 } as const
export const userRegistrationStates: ReadonlyArray<UserRegistrationState> = [1, 2, 3]

const labels: Readonly<Record<UserRegistrationState, string>> = { 1: "Pending", 2: "Rejected", 3: "Accepted" }

/** `{ id, label }` of a state. */
export const userRegistrationState = (id: UserRegistrationState) => labelled(id, labels)
