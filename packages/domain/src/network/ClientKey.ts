/**
 * What counts as one client for limits: the address, or of IPv6 the /64 network, which is what one subscriber is
 * given.
 */
export const clientKey = (address: string): string => {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const full =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right]
  return `${full.slice(0, 4).join(":")}::/64`
}
