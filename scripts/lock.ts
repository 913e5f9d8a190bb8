/**
 * Completes package-lock.json with optional packages of other platforms that the registry in use does not carry. `npm install`
 * leaves them out of the lock, and `npm ci` then refuses it.
 *
 * `node scripts/lock.ts` after every change of dependencies; then try `npm ci` in an empty folder.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

interface Entry {
  readonly version?: string
  readonly dev?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const file = join(dirname(import.meta.dirname), "package-lock.json")
const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Entry> }

const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32", "aix", "netbsd", "openbsd", "sunos"]
const processors = ["arm64", "arm", "x64", "ia32", "ppc64", "riscv64", "s390x", "loong64", "wasm32"]

/** The folders in which a package at `path` looks for another, nearest first. */
const lookups = (path: string, name: string): ReadonlyArray<string> => {
  const found = [path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`]
  for (let at = path.lastIndexOf("/node_modules/"); at > 0; at = path.lastIndexOf("/node_modules/", at - 1)) {
    found.push(`${path.slice(0, at)}/node_modules/${name}`)
  }
  return [...found, `node_modules/${name}`]
}

const platformOf = (name: string) => {
  const os = systems.find((system) => name.includes(system))
  const rest = os === undefined ? name : name.slice(name.indexOf(os) + os.length)
  const cpu = processors.find((processor) => new RegExp(`-${processor}(-|$)`).test(rest))
  const libc = /musl/.test(rest) ? "musl" : /gnu/.test(rest) ? "glibc" : undefined
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined || os !== "linux" ? {} : { libc: [libc] }),
    ...(os === undefined ? {} : { os: [os] })
  }
}

let added = 0
for (const [path, entry] of Object.entries({ ...lock.packages })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (lookups(path, name).some((place) => lock.packages[place] !== undefined)) continue
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ""),
      ...(entry.dev === true ? { dev: true } : {}),
      ...{ optional: true },
      ...platformOf(name)
    }
    added++
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages added to the lock`)
