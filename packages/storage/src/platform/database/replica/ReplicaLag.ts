/** A position in the write-ahead log of the primary, and when it was asked for, in milliseconds. */
export interface Position {
  readonly at: number
  readonly lsn: bigint
}

/** Positions that are kept: more than the greatest lag that may be configured needs. */
const most = 700

/** A position as PostgreSQL writes it (`pg_lsn`): two hexadecimal numbers, of the upper and the lower 32 bits. */
export const lsnOf = (text: string): bigint => {
  const [upper = "0", lower = "0"] = text.split("/")
  return (BigInt(`0x${upper}`) << 32n) | BigInt(`0x${lower}`)
}

/** How old the answers of a replica are: measured by what the primary had written when, so no two clocks are compared. */
export class ReplicaLag {
  private positions: Array<Position> = []
  /** The last moment whose writes the replica is known to have. */
  private reachedAt: number | undefined

  /** Notes where the primary was, and then how far the replica is. */
  note(primary: Position, replayed: bigint): void {
    this.positions.push(primary)
    const reached = this.positions.findLastIndex(({ lsn }) => lsn <= replayed)
    if (reached >= 0) {
      this.reachedAt = this.positions[reached]!.at
      this.positions.splice(0, reached + 1)
    }
    if (this.positions.length > most) this.positions.shift()
  }

  /** Forgets what the replica had: it may be another one when it is back. */
  forget(): void {
    this.positions = []
    this.reachedAt = undefined
  }

  /** Milliseconds that the replica is behind at most; infinite while that is not known. */
  behind(now: number): number {
    return this.reachedAt === undefined ? Number.POSITIVE_INFINITY : now - this.reachedAt
  }
}
