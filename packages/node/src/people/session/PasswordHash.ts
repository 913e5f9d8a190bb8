import * as crypto from "node:crypto"

/** Cost parameters of a password function; `memory` of argon2 in KiB. */
export type HashParameters =
  | { readonly algorithm: "argon2id"; readonly memory: number; readonly passes: number; readonly parallelism: number }
  | { readonly algorithm: "scrypt"; readonly N: number; readonly r: number; readonly p: number }
  | BcryptParameters

/** bcrypt verifies hashes that came from another program. None is made. */
export interface BcryptParameters {
  readonly algorithm: "bcrypt"
  /** Version, cost and salt, as the hash begins: `$2b$10$` and 22 characters. */
  readonly setting: string
}

/** A parsed hash. */
export interface ParsedHash {
  readonly parameters: HashParameters
  readonly salt: Uint8Array
  readonly key: Uint8Array
}

export const saltBytes = 16
export const keyBytes = 32

const argon2id: HashParameters = { algorithm: "argon2id", memory: 19 * 1024, passes: 2, parallelism: 1 }

/** Used instead of {@link argon2id} if Node.js lacks it: OWASP names the two as equally strong. */
const scrypt: HashParameters = { algorithm: "scrypt", N: 2 ** 15, r: 8, p: 3 }

/** Node.js has argon2 from 24.7 on. */
const hasArgon2 = typeof (crypto as { readonly argon2?: unknown }).argon2 === "function"

/** The parameters of new hashes. */
export const currentParameters: HashParameters = hasArgon2 ? argon2id : scrypt

const argon2Format =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/
const scryptFormat = /^\$scrypt\$N=(\d{1,8}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9_-]{11,86})\$([A-Za-z0-9_-]{22,86})$/

/**
 * `$2b$10$`, 22 characters of salt and 31 of the key. Each step of the cost doubles the time: 14 takes some seconds, and with more a
 * few logins would keep a machine busy.
 */
const bcryptFormat = /^(\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/

/** Whether a hash of bcrypt can be verified here: of a known version, and not too costly. */
export const isBcrypt = (text: string): boolean => bcryptFormat.test(text)

/** Reads `$argon2id$v=19$m=…,t=…,p=…$salt$key` (PHC string format) or `$scrypt$N=…,r=…,p=…$salt$key`, or a hash of bcrypt. */
export const parseHash = (text: string): ParsedHash | undefined => {
  const argon2 = argon2Format.exec(text)
  if (argon2 !== null) {
    const [memory, passes, parallelism] = [Number(argon2[1]), Number(argon2[2]), Number(argon2[3])]
    return {
      parameters: { algorithm: "argon2id", memory, passes, parallelism },
      salt: Buffer.from(argon2[4]!, "base64"),
      key: Buffer.from(argon2[5]!, "base64")
    }
  }
  const bcrypt = bcryptFormat.exec(text)
  if (bcrypt !== null) {
    return {
      parameters: { algorithm: "bcrypt", setting: bcrypt[1]! },
      salt: new Uint8Array(0),
      key: Buffer.from(bcrypt[2]!, "latin1")
    }
  }
  const parts = scryptFormat.exec(text)
  if (parts === null) return undefined
  return {
    parameters: { algorithm: "scrypt", N: Number(parts[1]), r: Number(parts[2]), p: Number(parts[3]) },
    salt: Buffer.from(parts[4]!, "base64url"),
    key: Buffer.from(parts[5]!, "base64url")
  }
}

const unpadded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replaceAll("=", "")

/** Writes the text that {@link parseHash} reads. */
export const formatHash = ({ key, parameters, salt }: ParsedHash): string => {
  if (parameters.algorithm === "argon2id") {
    const { memory, parallelism, passes } = parameters
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(key)}`
  }
  if (parameters.algorithm === "bcrypt") return parameters.setting + Buffer.from(key).toString("latin1")
  const { N, p, r } = parameters
  return `$scrypt$N=${N},r=${r},p=${p}$${Buffer.from(salt).toString("base64url")}$${Buffer.from(key).toString("base64url")}`
}

/**
 * Whether a hash was made with other parameters than new ones: the next login, which knows the password, replaces it.
 * An argon2id hash stays if Node.js cannot make new ones.
 */
export const isOutdated = (text: string): boolean => {
  const made = parseHash(text)?.parameters
  if (made === undefined || (made.algorithm === "argon2id" && !hasArgon2)) return false
  return JSON.stringify(made) !== JSON.stringify(currentParameters)
}
