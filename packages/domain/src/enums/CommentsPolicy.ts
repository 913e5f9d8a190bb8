/** Who may comment on a video. */
export type CommentsPolicy = 1 | 2 | 3
export const CommentsPolicy = { enabled: 1, disabled: 2, requiresApproval: 3 } as const
export const commentsPolicies: ReadonlyArray<CommentsPolicy> = [1, 2, 3]

export const commentsPolicyLabels: Readonly<Record<CommentsPolicy, string>> = {
  1: "Enabled",
  2: "Disabled",
  3: "Requires approval"
}
