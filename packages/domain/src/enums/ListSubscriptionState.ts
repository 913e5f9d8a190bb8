/** Where a subscription to a list of others stands (contract: WatchedWordsSubscriptionState). */
export type ListSubscriptionState = 1 | 2 | 3 | 4
export const ListSubscriptionState = { waitingFirstRun: 1, processing: 2, synced: 3, failed: 4 } as const

export const listSubscriptionStateLabels: Readonly<Record<ListSubscriptionState, string>> = {
  1: "Waiting first run",
  2: "Processing",
  3: "Synchronized",
  4: "Failed"
}
