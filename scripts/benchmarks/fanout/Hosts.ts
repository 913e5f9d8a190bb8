/** Hosts elsewhere, each an address of the loopback network: what they do stands in the second number. */
export type Kind = "healthy" | "refusing" | "silent" | "slow"

const second: Readonly<Record<Kind, number>> = { healthy: 10, refusing: 20, silent: 30, slow: 40 }

/** The nth address of a kind. Nobody listens where connections are refused: that is another port. */
export const hostOf = (kind: Kind, n: number, port: number): string =>
  `127.${second[kind]}.${n >> 8}.${n & 255}:${kind === "refusing" ? 1 : port}`

/** What the host at a local address does. */
export const kindOf = (address: string): Kind => {
  const [, number] = address.replace(/^::ffff:/, "").split(".")
  return (Object.keys(second) as Array<Kind>).find((kind) => second[kind] === Number(number)) ?? "healthy"
}
