import { Forbidden } from "@kinora/domain/errors/AuthErrors"
import type { Configuration } from "../../platform/config/Configuration.ts"

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Host name and port of a Host header; the name in lower case. */
const parts = (host: string): { readonly name: string; readonly port: string } => {
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(host.trim().toLowerCase())
  return { name: found?.[1] ?? "", port: found?.[2] ?? "" }
}

/**
 * Decides who gets the client's credentials: a client that asked for the public address of the instance in the Host
 * header, or for a loopback address of this machine, as before the instance has a name. A web page that pointed its own
 * host name at this machine (DNS rebinding) gets nothing. Undefined: the client gets them.
 */
export const makeClientHost = ({ listen, webserver }: Configuration) => {
  const name = webserver.hostname.toLowerCase()
  const usual = webserver.https ? "443" : "80"
  const publicHost = String(webserver.port) === usual ? name : `${name}:${webserver.port}`
  return (host: string | undefined): Forbidden | undefined => {
    const asked = parts(host ?? "")
    if (asked.name === name && (asked.port === "" ? usual : asked.port) === String(webserver.port)) return undefined
    if (loopback.test(asked.name)) return undefined
    if (asked.name === listen.hostname.toLowerCase() && asked.port === String(listen.port)) return undefined
    return new Forbidden({
      reason: `The client is given to those who ask ${publicHost}, the instance's public address`
    })
  }
}
