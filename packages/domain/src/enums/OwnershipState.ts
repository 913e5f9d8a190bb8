/** Where a request to take over a video or a channel stands (contract: ChangeOwnershipState). */
export type OwnershipState = 1 | 2 | 3
export const OwnershipState = { pending: 1, rejected: 2, accepted: 3 } as const
export const ownershipStates: ReadonlyArray<OwnershipState> = [1, 2, 3]

export const ownershipStateLabels: Readonly<Record<OwnershipState, string>> = {
  1: "Pending",
  2: "Rejected",
  3: "Accepted"
}
