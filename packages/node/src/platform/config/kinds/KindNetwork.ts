import { Result } from "effect"
import { isIP } from "node:net"
import { type Kind, make, show, text } from "./Kind.ts"

const accepts = "an address or a network (10.0.0.0/8)"

const isNetwork = (value: string): boolean => {
  const slash = value.indexOf("/")
  const version = isIP(slash === -1 ? value : value.slice(0, slash))
  if (version === 0 || value.includes("%")) return false
  if (slash === -1) return true
  const length = value.slice(slash + 1)
  return /^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128)
}

/** An IPv4 or IPv6 address or network in CIDR notation (RFC 4632, 3.1). */
export const network: Kind<string, string> = make({
  accepts,
  nixType: "str",
  read: (input) =>
    Result.flatMap(text.read(input), (value) =>
      isNetwork(value) ? Result.succeed(value) : Result.fail(`${show(value)} is not ${accepts}`)
    )
})
