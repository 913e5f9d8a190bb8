const window = 1000

/** How much arrives a second, measured over each second before. */
export class ReceiveRate {
  packets = 0
  bytes = 0
  #countedPackets = 0
  #countedBytes = 0
  #since: number

  /** @param now milliseconds */
  constructor(now: number) {
    this.#since = now
  }

  add(bytes: number, now: number): void {
    const passed = now - this.#since
    if (passed >= window) {
      this.packets = Math.round((this.#countedPackets * 1000) / passed)
      this.bytes = Math.round((this.#countedBytes * 1000) / passed)
      this.#countedPackets = this.#countedBytes = 0
      this.#since = now
    }
    this.#countedPackets++
    this.#countedBytes += bytes
  }
}
