/** How much of everything a data set holds. */
export interface Size {
  readonly local: number
  readonly remote: number
  readonly servers: number
  readonly localAccounts: number
  readonly remoteAccounts: number
  readonly localChannels: number
  readonly remoteChannels: number
  readonly tags: number
  /** Accounts that the instance blocks, and as many others that the administrator blocks. */
  readonly blockedAccounts: number
  readonly blockedServers: number
  /** Videos that the administrator has watched. */
  readonly watched: number
}

/** The data set that goals are named for. */
export const million: Size = {
  local: 20_000,
  remote: 1_000_000,
  servers: 2_000,
  localAccounts: 1_500,
  remoteAccounts: 45_000,
  localChannels: 2_000,
  remoteChannels: 58_000,
  tags: 20_000,
  blockedAccounts: 2_000,
  blockedServers: 200,
  watched: 5_000
}

/** The same with everything divided, for trying things out. */
export const fraction = (size: Size, divisor: number): Size =>
  Object.fromEntries(
    Object.entries(size).map(([name, count]) => [name, Math.max(10, Math.round((count as number) / divisor))])
  ) as unknown as Size
