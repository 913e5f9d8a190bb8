import { movingSteps, joinedTables, leftBehind } from "@kinora/storage/instance/moving/MovingSteps"
import { type SourceDatabase, SourceUnusable } from "@kinora/storage/instance/moving/SourceDatabase"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { KinoraConfig } from "../../platform/config/Config.ts"
import type { MovingReport } from "./MovingReport.ts"

/** What the tables of the old database are to us. */
export type TableSurvey = Pick<
  MovingReport,
  "leftBehind" | "unknownTables" | "unknownColumns" | "missingTables" | "missingColumns"
>

/** The old instance. */
export interface OldInstance {
  readonly origin: string
  /** Digest that identifies the instance. */
  readonly digest: string
}

/** Refuses a database without what nothing can be done without, and says which instance it is of. */
export const identify = Effect.fn("Survey.identify")(function* (source: SourceDatabase) {
  const lacking = movingSteps.flatMap(({ needed = [], table }) =>
    needed.filter((column) => source.catalogue.get(table)?.has(column) !== true).map((column) => `${table}.${column}`)
  )
  if (lacking.length > 0) {
    return yield* new SourceUnusable({
      message: `The database is none of a PeerTube instance that can be read: it lacks ${lacking.slice(0, 10).join(", ")}.`
    })
  }
  const [actor] = yield* source.query<{ url: string; key: string | null }>(
    `select url, "publicKey" as key from public.actor
     where "serverId" is null and type = 'Application' and "preferredUsername" = 'peertube' limit 1`
  )
  const origin = actor === undefined ? undefined : URL.parse(actor.url)?.origin
  if (actor === undefined || origin === undefined) {
    return yield* new SourceUnusable({ message: "The database has no actor of its instance (peertube)." })
  }
  const digest = createHash("sha256").update(`${actor.url}\n${actor.key}`).digest("hex")
  const instance: OldInstance = { origin, digest }
  return instance
})

/** Others know every thing of the instance by its address, which has to stay. */
export const checkOrigin = Effect.fnUntraced(function* ({ origin }: OldInstance) {
  const { derived } = yield* KinoraConfig
  if (origin === derived.origin) return
  return yield* new SourceUnusable({
    message:
      `The old instance is ${origin}, and the configuration says ${derived.origin} (webserver.*). Set webserver.* to the address ` +
      "of the old instance: its followers and links know no other."
  })
})

/** Compares the tables and columns of the old database with those that are known. */
export const surveyTables = Effect.fn("Survey.tables")(function* (source: SourceDatabase) {
  const { catalogue } = source
  const known = new Map<string, Set<string>>()
  for (const { columns, dropped = [], table } of movingSteps) {
    const names = known.get(table) ?? new Set<string>()
    for (const name of [...Object.keys(columns), ...dropped]) names.add(name)
    known.set(table, names)
  }
  const counted = Effect.fnUntraced(function* (table: string) {
    return { table, rows: yield* source.count(table) }
  })
  const tables = [...catalogue.keys()].filter((table) => !known.has(table) && !joinedTables.has(table))
  const survey: TableSurvey = {
    leftBehind: yield* Effect.forEach(
      tables.filter((table) => leftBehind.has(table)),
      (table) => Effect.map(counted(table), (one) => ({ ...one, reason: leftBehind.get(table)! }))
    ),
    unknownTables: yield* Effect.forEach(
      tables.filter((table) => !leftBehind.has(table)),
      counted
    ),
    unknownColumns: [...known].flatMap(([table, names]) =>
      [...(catalogue.get(table) ?? [])].filter((name) => !names.has(name)).map((name) => `${table}.${name}`)
    ),
    missingTables: [...known.keys(), ...joinedTables].filter((table) => !catalogue.has(table)),
    missingColumns: movingSteps.flatMap(({ columns, table }) =>
      catalogue.has(table)
        ? Object.keys(columns)
            .filter((name) => !catalogue.get(table)!.has(name))
            .map((name) => `${table}.${name}`)
        : []
    )
  }
  return survey
})

/** Passwords of bcrypt that can be verified here, as PostgreSQL matches them. */
const usablePassword = String.raw`^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$`

/** Users whose login changes. */
export const surveyUsers = Effect.fn("Survey.users")(function* (source: SourceDatabase) {
  const has = (column: string) => source.catalogue.get("user")?.has(column) === true
  const one = Effect.fnUntraced(function* (condition: string, params: ReadonlyArray<unknown> = []) {
    const rows = yield* source.query<{ username: string }>(
      `select username from public."user" where ${condition} order by id`,
      params
    )
    return rows.map(({ username }) => username)
  })
  return {
    // A secret in base 32 is as authenticators have it; anything else was sealed by the old program.
    secondFactors: has("otpSecret") ? yield* one(`"otpSecret" is not null and "otpSecret" !~ '^[A-Z2-7]{16,}=*$'`) : [],
    withoutPassword: yield* one("password is null or password !~ $1", [usablePassword]),
    duplicates: yield* one(
      `exists (select from public."user" o where lower(o.email) = lower("user".email) and o.id < "user".id)`
    )
  }
})
