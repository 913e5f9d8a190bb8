import { type Decoded, flatten } from "./kinds/Key.ts"
import { instance } from "./keys/Instance.ts"
import { media } from "./keys/Media.ts"
import { server } from "./keys/Server.ts"
import { services } from "./keys/Services.ts"
import { storage } from "./keys/Storage.ts"

/** Every configuration key, nested as operators write it (contract/config-keys.json and our own). */
export const keys = { ...server, ...services, ...storage, ...media, ...instance }

/** The decoded configuration. */
export type ConfigTree = Decoded<typeof keys>

/** Every key with its path and environment name, in the order of declaration. */
export const flatKeys = flatten(keys)

/** Environment names in use outside of the tree, and the keys they stand for. */
export const shortForms: Readonly<Record<string, string>> = {
  DATABASE_URL: "database.url",
  REDIS_URL: "redis.url"
}
