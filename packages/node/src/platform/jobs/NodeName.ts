import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { KinoraConfig } from "../config/Config.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id in the folder; made when there is none. Of two that make one at once, both get the same. */
const idIn = async (folder: string): Promise<string> => {
  const file = join(folder, "node-id")
  const known = async () => {
    const text = (await readFile(file, "utf8").catch(() => "")).trim()
    return uuid.test(text) ? text : undefined
  }
  const old = await known()
  if (old !== undefined) return old
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const beside = `${file}.${randomUUID()}`
  await writeFile(beside, `${randomUUID()}\n`, { mode: 0o600 })
  try {
    await link(beside, file)
  } catch {
    // Another was faster; what says nothing, as after a loss of power, is replaced.
    if ((await known()) === undefined) await rename(beside, file)
  } finally {
    await rm(beside, { force: true })
  }
  return (await known())!
}

/**
 * Names this node to the job board: the same after a restart, so that it takes back what it held, and no other's. Host name and
 * port are for people, and may be those of several nodes; what tells them apart is an id in the folder for temporary files,
 * which a node shares with nobody.
 */
export const nodeName = Effect.gen(function* () {
  const { listen, storage } = yield* KinoraConfig
  const id = yield* Effect.promise(() => idIn(storage.tmp))
  return `${hostname()}:${listen.port}/${id.slice(0, 8)}`
})
