/** Where an invitation to work on a channel stands (contract: VideoChannelCollaboratorState). */
export type CollaboratorState = 1 | 2 | 3
export const CollaboratorState = { pending: 1, accepted: 2, rejected: 3 } as const

export const collaboratorStateLabels: Readonly<Record<CollaboratorState, string>> = {
  1: "Pending",
  2: "Accepted",
  3: "Rejected"
}
